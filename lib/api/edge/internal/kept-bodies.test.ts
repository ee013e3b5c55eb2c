import { eq } from "drizzle-orm";
import { beforeAll, describe, expect, onTestFinished, test, vi } from "vitest";
import { call } from "#test/scene/api-client.ts";
import type { ApiReply } from "#test/scene/api-client.ts";
import { testDatabase } from "#test/database/database.ts";
import { newCard, newIntegrator } from "#test/scene/fixtures.ts";
import type { TestIntegrator } from "#test/scene/fixtures.ts";
import { newStaff } from "#test/scene/staff.ts";
import type { TestStaff } from "#test/scene/staff.ts";
import { apiLog, apiLogBodies } from "#db/schema/events.ts";
import { flushApiLog, logRequest } from "#lib/api/edge/api-log.ts";
import { newId } from "#lib/base/ids.ts";
import { log } from "#lib/base/log.ts";

interface Kept {
  form: string;
  unknown_members: number;
  text?: string;
  body?: Record<string, unknown>;
}

/** In every place where a caller can write. */
const PLANTED = "planted.secret";
/** Not public, so it is refused by name. */
const PLANTED_ADDRESS = "10.98.7.6";
const EMAIL = `${PLANTED}@example.com`;
/** Above what one integrator may keep at once. */
const BURST = 120;
/** How many successes of one integrator keep their bodies at once. */
const KEPT_AT_ONCE = 40;

let mine: TestIntegrator;
let owner: TestStaff;
let cardId: string;

beforeAll(async () => {
  log.level = "silent";
  mine = await newIntegrator(100_000);
  owner = await newStaff(mine.id, "owner");
  cardId = (await newCard(mine)).id;
});

async function readRow(reply: ApiReply) {
  await flushApiLog();
  const [row] = await testDatabase()
    .db.select()
    .from(apiLog)
    .leftJoin(apiLogBodies, eq(apiLogBodies.id, apiLog.id))
    .where(eq(apiLog.requestId, reply.headers.get("x-request-id") ?? ""));
  return { ...row?.api_log, kept: row?.api_log_bodies };
}

async function readKept(reply: ApiReply): Promise<{ request: Kept; response: Kept }> {
  const { kept } = await readRow(reply);
  return {
    request: JSON.parse(kept?.request ?? "null"),
    response: JSON.parse(kept?.response ?? "null"),
  };
}

function credit(body: unknown, by = mine): Promise<ApiReply> {
  return call("PATCH /cards/credit/balance", { key: by.apiKey, body });
}

describe("bodies in the API log", () => {
  test("of a plain credit are whole, except for what a person is called by", async () => {
    const text = `{ "amount": 5, "card_id": "${cardId}" }`;
    const { request, response } = await readKept(await credit(text));
    expect(request).toEqual({ form: "whole", unknown_members: 0, text });
    expect(response).toMatchObject({
      form: "redacted",
      body: { id: cardId, balance: 5, status: "active", card_name: "[redacted]" },
    });
  });

  test("of a refusal say what was wrong", async () => {
    const reply = await credit({ card_id: cardId, amount: "5", emial: EMAIL });
    const { request, response } = await readKept(reply);
    expect(request).toEqual({
      form: "redacted",
      unknown_members: 1,
      body: { card_id: cardId, amount: "[redacted]" },
    });
    expect(response).toMatchObject({
      unknown_members: 1,
      body: {
        code: "validation_failed",
        status: 422,
        instance: "/api/cards/credit/balance",
        errors: { amount: [expect.any(String)] },
      },
    });
    expect(await readRow(reply)).toMatchObject({ detail: expect.stringContaining("emial") });
  });

  test("of a number that is not whole say which member it is, and can be sent again", async () => {
    const reply = await credit(`{"card_id":"${cardId}","amount":20.5}`);
    const { request, response } = await readKept(reply);
    expect(request).toEqual({
      form: "redacted",
      unknown_members: 0,
      body: { card_id: cardId, amount: "[redacted]" },
    });
    const detail = "The request is not valid for this operation: see amount.";
    expect(response).toMatchObject({ form: "whole", text: expect.stringContaining(detail) });
    expect(await readRow(reply)).toMatchObject({ detail });
    const text = `{"card_id":"${cardId}","amount":1.0}`;
    expect((await readKept(await credit(text))).request).toMatchObject({ form: "whole", text });
  });

  test("that two parsers could read differently are not kept", async () => {
    const reply = await credit(`{"card_id":"${EMAIL}","amount":1.0,"card_id":"${cardId}"}`);
    expect((await readKept(reply)).request).toEqual({ form: "malformed", unknown_members: 0 });
  });

  test("contain nothing that was planted, wherever it was written", async () => {
    const person = {
      first_name: PLANTED,
      last_name: PLANTED,
      email: EMAIL,
      emial: EMAIL,
      phone_number: PLANTED,
      id_type: PLANTED,
      id_number: PLANTED,
      user_photo: PLANTED,
      address: { city: PLANTED, country: "US", line1: PLANTED, lien2: PLANTED },
    };
    const { emial: _emial, address, ...valid } = person;
    const { lien2: _lien2, ...street } = address;
    const user = `POST /card-integrators/${mine.id}/register-user`;
    const metadata = { [PLANTED]: PLANTED };
    const by = { key: mine.apiKey };
    const staff = { headers: owner.headers };
    const replies = [
      await call(user, { ...by, body: person }),
      await call(user, { ...by, body: { ...valid, address: street } }),
      await call(user, { ...by, body: `{"email":"${EMAIL}"` }),
      await call(user, { ...by, body: { [EMAIL]: 1 } }),
      await call(`GET /cards?search=${PLANTED}`, by),
      await call(`GET /cards?${PLANTED}=1`, by),
      await call(`GET /card-integrators/card-users?email=${EMAIL}&emial=${EMAIL}`, by),
      await call("GET /card-integrators/card-users", by),
      await call("GET /cards", { ...by, headers: { "Api-Version": PLANTED } }),
      await call(`GET /idempotency-keys/${PLANTED}`, by),
      await call(`PATCH /cards/${cardId}`, { ...by, body: { metadata } }),
      await call(`PATCH /cards/${cardId}`, { ...by, body: { metadata: { [EMAIL]: 1 } } }),
      await call(`PATCH /cards/${cardId}/freeze`, { ...by, body: { comment: PLANTED } }),
      await call(`PATCH /cards/${cardId}/unfreeze`, { ...by, body: { comment: PLANTED } }),
      await credit({ card_id: EMAIL, amount: PLANTED, source: PLANTED }),
      await credit({ card_id: cardId, amount: 1, narrative: PLANTED }),
      await credit({ card_id: cardId, amount: 1, source: { deep: [[{ er: PLANTED }]] } }),
      await credit({ card_id: cardId, amount: 1, "card_id.deep": PLANTED, __proto: PLANTED }),
      await call(`POST /cards/${cardId}/mock-transaction`, {
        ...by,
        body: { type: "deduct", amount: 1, narrative: PLANTED, merchant: { name: PLANTED } },
      }),
      await call("PATCH /card-integrators/update", {
        ...staff,
        body: { business_address: PLANTED, domain: "planted.example" },
      }),
      await call("PATCH /card-integrators/update", {
        ...staff,
        body: { webhook_url: `http://${PLANTED_ADDRESS}/` },
      }),
      await call("PATCH /card-integrators/settings", {
        ...staff,
        body: { program_name: "planted", contact_number: PLANTED },
      }),
      await call("POST /api-keys", { ...staff, body: { name: PLANTED, scopes: ["cards:read"] } }),
      await call("POST /staff/invitations", { ...staff, body: { email: EMAIL, role: "viewer" } }),
      await call("POST /webhooks/rotate-secret", staff),
    ];
    await flushApiLog();
    const rows = await testDatabase()
      .db.select()
      .from(apiLogBodies)
      .where(eq(apiLogBodies.integratorId, mine.id));
    // All but the three whose bodies hold a secret.
    expect(rows.length).toBeGreaterThanOrEqual(replies.length - 3);
    expect(JSON.stringify(rows)).not.toMatch(/planted/iu);
    expect(JSON.stringify(rows)).not.toContain(PLANTED_ADDRESS);
    for (const reply of replies.slice(-3)) {
      expect(await readRow(reply)).toMatchObject({ bodies: "secret", kept: null });
    }
  });

  test("are cut at 8 KiB, and what is left is JSON", async () => {
    const other = await newIntegrator();
    for (let made = 0; made < 40; made += 1) {
      await newCard(other);
    }
    const reply = await call("GET /cards?limit=100", { key: other.apiKey });
    expect(reply.text.length).toBeGreaterThan(9_000);
    const { response } = await readKept(reply);
    expect(response.form).toBe("truncated");
    expect(Array.isArray(response.body)).toBe(true);
    const bytes = Buffer.byteLength(JSON.stringify(response.body));
    expect(bytes).toBeLessThanOrEqual(8_192);
    expect(bytes).toBeGreaterThan(7_000);
  });

  test("are kept as long as the account wants them", async () => {
    const other = await newIntegrator();
    const settings = (log_bodies: boolean) =>
      call("PATCH /card-integrators/settings", { key: other.apiKey, body: { log_bodies } });
    await settings(false);
    expect(await readRow(await call("GET /cards", { key: other.apiKey }))).toMatchObject({
      bodies: "off",
      kept: null,
    });
    await settings(true);
    expect(await readRow(await call("GET /cards", { key: other.apiKey }))).toMatchObject({
      bodies: "kept",
      kept: { response: expect.any(String) },
    });
  });

  test("are bounded, apart for successes and failures; the rows are not", async () => {
    const busy = await newIntegrator();
    // Each second allows more bodies. The clock stands still here, however long the requests take.
    const clock = vi.spyOn(performance, "now").mockReturnValue(performance.now());
    onTestFinished(() => clock.mockRestore());
    await Promise.all(
      Array.from({ length: BURST }, () => call("GET /cards", { key: busy.apiKey })),
    );
    const failed = await credit({}, busy);
    expect(await readRow(failed)).toMatchObject({ bodies: "kept", status: 422 });
    const rows = await testDatabase()
      .db.select({ bodies: apiLog.bodies })
      .from(apiLog)
      .where(eq(apiLog.integratorId, busy.id));
    expect(rows).toHaveLength(BURST + 1);
    expect(rows.filter(({ bodies }) => bodies === "limited")).toHaveLength(BURST - KEPT_AT_ONCE);
  });
});

describe("the row of a request", () => {
  test("has its idempotency key and version, and a repeated refusal keeps its code", async () => {
    const wanted = {
      key: mine.apiKey,
      headers: { "Idempotency-Key": newId(), "Api-Version": "0.5.0" },
      body: { card_id: cardId, amount: 999_999_999 },
    };
    const first = await call("PATCH /cards/credit/balance", wanted);
    const again = await call("PATCH /cards/credit/balance", wanted);
    const row = {
      status: 422,
      code: "insufficient_float",
      detail: (first.json as { detail: string }).detail,
      idempotencyKey: wanted.headers["Idempotency-Key"],
      apiVersion: "0.5.0",
    };
    expect(await readRow(first)).toMatchObject({ ...row, replayed: false });
    expect(await readRow(again)).toMatchObject({ ...row, replayed: true });
  });

  test("that the database rejects is stored without what the caller sent", async () => {
    const requestId = newId();
    logRequest({
      integratorId: mine.id,
      actor: null,
      operation: "getCard",
      method: "GET",
      path: "/api/cards/hostile",
      status: 404,
      code: "card_not_found",
      detail: "x",
      cardId: "not an id",
      durationMs: 1,
      waitedMs: 0,
      requestId,
      address: null,
      apiVersion: "0.5.0",
      idempotencyKey: null,
      replayed: false,
      bodies: { state: "kept", request: "{}", response: "{}" },
    });
    await flushApiLog();
    const [row] = await testDatabase()
      .db.select()
      .from(apiLog)
      .where(eq(apiLog.requestId, requestId));
    expect(row).toMatchObject({ operation: "getCard", status: 404, path: "", detail: null });
  });
});
