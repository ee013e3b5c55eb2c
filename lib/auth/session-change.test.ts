import { sql } from "drizzle-orm";
import { beforeEach, describe, expect, test } from "vitest";
import { call } from "#test/scene/api-client.ts";
import { testDatabase } from "#test/database/database.ts";
import { newCard, newIntegrator } from "#test/scene/fixtures.ts";
import type { TestIntegrator } from "#test/scene/fixtures.ts";
import { newStaff } from "#test/scene/staff.ts";
import type { TestStaff } from "#test/scene/staff.ts";
import { flushApiLog } from "#lib/api/edge/api-log.ts";
import { STAFF_ID_HEADER } from "#lib/base/page-person.ts";

/** Two accounts whose owners use one browser: the page is the first one's, and the session is the second one's. */
let theirs: TestIntegrator;
let page: TestStaff;
let session: TestStaff;
let headers: Record<string, string>;

beforeEach(async () => {
  page = await newStaff((await newIntegrator(10_000)).id, "owner");
  theirs = await newIntegrator(10_000);
  session = await newStaff(theirs.id, "owner");
  headers = { ...session.headers, [STAFF_ID_HEADER]: page.id };
});

const REFUSED = { status: 409, json: { code: "session_changed" } };

describe("a page that was made for someone else than the person who is signed in", () => {
  test("moves no funds", async () => {
    const card = await newCard(theirs);
    const body = { card_id: card.id, amount: 500 };
    expect(await call("PATCH /cards/credit/balance", { headers, body })).toMatchObject(REFUSED);
    const after = await call(`GET /cards/${card.id}`, { key: theirs.apiKey });
    expect(after.json).toMatchObject({ balance: 0 });
  });

  test("changes no setting", async () => {
    const body = { business_address: "1 Other Street" };
    expect(await call("PATCH /card-integrators/update", { headers, body })).toMatchObject(REFUSED);
    const after = await call("GET /card-integrators/me", { key: theirs.apiKey });
    expect(after.text).not.toContain("1 Other Street");
  });

  test("reads nothing", async () => {
    const reply = await call("GET /cards", { headers });
    expect(reply).toMatchObject(REFUSED);
  });

  test("exports nothing, by the header or by the link", async () => {
    const { [STAFF_ID_HEADER]: _id, ...linked } = headers;
    for (const list of ["cards", "float-entries", "transactions"]) {
      const path = `GET /exports/${list}`;
      expect(await call(path, { headers })).toMatchObject(REFUSED);
      const byLink = await call(`${path}?staff_id=${page.id}`, { headers: linked });
      expect(byLink).toMatchObject(REFUSED);
      const own = await call(`${path}?staff_id=${session.id}`, { headers: linked });
      expect(own).toMatchObject({ status: 200 });
    }
  });

  test("leaves nothing of what it sent in the account of the person who is signed in", async () => {
    const body = { business_address: "1 Other Street" };
    const reply = await call("PATCH /card-integrators/update", { headers, body });
    await flushApiLog();
    const id = reply.headers.get("x-request-id");
    const left = await testDatabase().db.execute(sql`
      select request_id from audit_log where integrator_id = ${theirs.id} and request_id = ${id}
      union all
      select request_id from api_log where integrator_id = ${theirs.id} and request_id = ${id}`);
    expect(left).toEqual([]);
  });

  test("gets the same refusal from a colleague's session", async () => {
    const colleague = await newStaff(theirs.id, "viewer");
    const reply = await call("GET /cards", {
      headers: { ...colleague.headers, [STAFF_ID_HEADER]: session.id },
    });
    expect(reply).toMatchObject(REFUSED);
  });
});

test.each(["GET /cards", "GET /exports/cards", "POST /staff/me/confirm"])(
  "%s with a session cookie is refused when it does not say whose page it comes from",
  async (line) => {
    const { [STAFF_ID_HEADER]: _id, ...nameless } = session.headers;
    const body = line.startsWith("POST") ? { body: { password: "a password" } } : {};
    expect(await call(line, { headers: nameless, ...body })).toMatchObject(REFUSED);
  },
);

test("a page goes on working after its person has signed out and in again", async () => {
  const again = await session.signInAgain();
  expect(again.cookie).not.toBe(session.headers.cookie);
  const reply = await call("GET /cards", {
    headers: { ...again, [STAFF_ID_HEADER]: session.id },
  });
  expect(reply.status).toBe(200);
});

test("an API key needs no page, and no page stands in its way", async () => {
  for (const more of [{}, { [STAFF_ID_HEADER]: page.id }]) {
    expect((await call("GET /cards", { key: theirs.apiKey, headers: more })).status).toBe(200);
  }
  const exported = await call(`GET /exports/cards?staff_id=${page.id}`, { key: theirs.apiKey });
  expect(exported.status).toBe(200);
});
