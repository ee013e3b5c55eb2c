import { encode } from "next-auth/jwt";
import { sql } from "drizzle-orm";
import { beforeAll, describe, expect, test } from "vitest";
import { call } from "#test/scene/api-client.ts";
import type { ApiReply } from "#test/scene/api-client.ts";
import { testDatabase } from "#test/database/database.ts";
import { newCard, newIntegrator } from "#test/scene/fixtures.ts";
import type { TestIntegrator } from "#test/scene/fixtures.ts";
import { newStaff, toHeaders } from "#test/scene/staff.ts";
import type { TestStaff } from "#test/scene/staff.ts";
import { sessionCookieName, sessionSecrets } from "#lib/auth/session.ts";
import { newToken } from "#lib/base/one-time-token.ts";

let mine: TestIntegrator;
let owner: TestStaff;
/** What their pages send, without what says where a request comes from. */
let anywhere: Record<string, string>;

beforeAll(async () => {
  mine = await newIntegrator(10_000);
  owner = await newStaff(mine.id, "owner");
  const { "sec-fetch-site": _site, ...headers } = owner.headers;
  anywhere = headers;
});

function ask(person: TestStaff): Promise<ApiReply> {
  return call("GET /cards", { headers: person.headers });
}

/** Moves one timestamp of a person's sessions into the past. */
async function age(person: TestStaff, column: "seen_at" | "created_at", interval: string) {
  await testDatabase().db.execute(sql`
    update staff_sessions set ${sql.identifier(column)} = clock_timestamp() - ${interval}::interval
    where integrator_id = ${mine.id} and staff_id = ${person.id}`);
}

function sealed(claims: Record<string, unknown>, secret = sessionSecrets()[0]): Promise<string> {
  return encode({ token: claims, secret });
}

describe("a change with a session cookie", () => {
  test.each<[string, Record<string, string>]>([
    ["another site", { "sec-fetch-site": "cross-site" }],
    ["a sister host", { "sec-fetch-site": "same-site" }],
    ["nowhere", { "sec-fetch-site": "none" }],
    ["another origin, in a browser that sends only Origin", { origin: "https://evil.example" }],
    ["our host with another protocol", { origin: "ftp://x:3000", host: "x:3000" }],
    ["another port", { origin: "http://127.0.0.1:3001" }],
    ["a page without an origin", { origin: "null" }],
    [
      "another site that sends our origin",
      { "sec-fetch-site": "cross-site", origin: "http://127.0.0.1:3000" },
    ],
    ["a client that sends neither header", {}],
  ])("from %s is refused and recorded", async (_from, headers) => {
    const card = await newCard(mine);
    const reply = await call(`PATCH /cards/${card.id}/freeze`, {
      headers: { ...anywhere, ...headers },
    });
    expect(reply).toMatchObject({ status: 403, json: { code: "origin_refused" } });
    const after = await call(`GET /cards/${card.id}`, { key: mine.apiKey });
    expect(after.json).toMatchObject({ status: "active" });
    const [row] = await testDatabase().db.execute(sql`
      select actor, action, after from audit_log
      where integrator_id = ${mine.id} and request_id = ${reply.headers.get("x-request-id")}`);
    expect(row).toMatchObject({
      actor: { type: "staff", id: owner.id },
      action: "freezeCard.refused",
      after: { code: "origin_refused" },
    });
  });

  test.each<[string, Record<string, string>]>([
    ["our own pages", { "sec-fetch-site": "same-origin" }],
    ["our own origin, in a browser that sends only Origin", { origin: "http://127.0.0.1:3000" }],
    [
      "our own page under another host name",
      { origin: "http://localhost:3000", host: "localhost:3000" },
    ],
  ])("from %s passes", async (_from, headers) => {
    const card = await newCard(mine);
    const reply = await call(`PATCH /cards/${card.id}/freeze`, {
      headers: { ...anywhere, ...headers },
    });
    expect(reply).toMatchObject({ status: 200, json: { status: "frozen" } });
  });

  test.each(["text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x"])(
    "with a body of %s, which a form on any site could send, is a 415",
    async (type) => {
      const headers = { ...owner.headers, "content-type": type };
      const body = JSON.stringify({ domain: "forged.example" });
      const reply = await call("PATCH /card-integrators/update", { headers, body });
      expect(reply).toMatchObject({ status: 415, json: { code: "content_type_unsupported" } });
      const bodiless = await call(`POST /staff/${owner.id}/revoke-sessions`, { headers, body });
      expect(bodiless).toMatchObject({ status: 415, json: { code: "content_type_unsupported" } });
      expect((await ask(owner)).status).toBe(200);
    },
  );

  test("by GET is not an operation", async () => {
    const card = await newCard(mine);
    for (const path of [`/cards/${card.id}/freeze`, "/staff/me/confirm", "/cards/credit/balance"]) {
      const reply = await call(`GET ${path}`, { headers: owner.headers });
      expect(reply).toMatchObject({ status: 405, json: { code: "method_not_allowed" } });
    }
  });

  test("a read needs no origin, and an API key never needs one", async () => {
    expect((await call("GET /cards", { headers: anywhere })).status).toBe(200);
    const card = await newCard(mine);
    const headers = { "sec-fetch-site": "cross-site" };
    const reply = await call(`PATCH /cards/${card.id}/freeze`, { key: mine.apiKey, headers });
    expect(reply.status).toBe(200);
  });

  test("a bad key is refused even with a valid cookie", async () => {
    const reply = await call("GET /cards", { key: "fd_test_bad", headers: owner.headers });
    expect(reply).toMatchObject({ status: 401, json: { code: "credential_invalid" } });
  });
});

describe("a cookie is refused when it", () => {
  test.each<[string, () => Promise<string>]>([
    ["holds the token of no session", () => sealed({ sessionToken: newToken() })],
    ["holds no token", () => sealed({ email: "kim@example.com" })],
    ["holds something other than a token", () => sealed({ sessionToken: { $ne: null } })],
    ["was made with another secret", () => sealed({ sessionToken: newToken() }, "another secret")],
    ["is not one of our cookies", async () => "eyJhbGciOiJub25lIn0.e30."],
    ["is empty", async () => ""],
  ])("%s", async (_name, make) => {
    const headers = { cookie: `${sessionCookieName()}=${await make()}` };
    const reply = await call("GET /cards", { headers });
    expect(reply).toMatchObject({ status: 401, json: { code: "credential_missing" } });
  });

  test("was changed in one place", async () => {
    const { cookie: good } = await toHeaders(newToken());
    const place = good.length - 5;
    const changed =
      good.slice(0, place) + (good[place] === "A" ? "B" : "A") + good.slice(place + 1);
    const reply = await call("GET /cards", { headers: { cookie: changed } });
    expect(reply.status).toBe(401);
  });
});

describe("a session", () => {
  test("ends after 30 minutes without a request", async () => {
    const person = await newStaff(mine.id, "viewer");
    await age(person, "seen_at", "29 minutes 50 seconds");
    expect((await ask(person)).status).toBe(200);
    await age(person, "seen_at", "30 minutes 1 second");
    expect((await ask(person)).status).toBe(401);
  });

  test("continues while there are requests", async () => {
    const person = await newStaff(mine.id, "viewer");
    await age(person, "seen_at", "29 minutes");
    expect((await ask(person)).status).toBe(200);
    const [row] = await testDatabase().db.execute(sql`
      select clock_timestamp() - seen_at < interval '10 seconds' as renewed from staff_sessions
      where integrator_id = ${mine.id} and staff_id = ${person.id}`);
    expect(row).toEqual({ renewed: true });
  });

  test("ends after 12 hours whatever happens", async () => {
    const person = await newStaff(mine.id, "viewer");
    await age(person, "created_at", "11 hours 59 minutes");
    expect((await ask(person)).status).toBe(200);
    await age(person, "created_at", "12 hours 1 second");
    expect((await ask(person)).status).toBe(401);
  });
});
