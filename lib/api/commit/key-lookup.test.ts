import { sql } from "drizzle-orm";
import { beforeAll, describe, expect, test } from "vitest";
import { call } from "#test/scene/api-client.ts";
import type { ApiCall } from "#test/scene/api-client.ts";
import { whileLocked } from "#test/database/broken-database.ts";
import { testDatabase } from "#test/database/database.ts";
import {
  move,
  newCard,
  newIntegrator,
  newProcessorKey,
  newScopedKey,
} from "#test/scene/fixtures.ts";
import type { TestIntegrator } from "#test/scene/fixtures.ts";
import { expectProblem } from "#test/scene/problems.ts";
import { newStaff } from "#test/scene/staff.ts";
import { newId } from "#lib/base/ids.ts";
import { toIdempotencyName } from "#lib/base/idempotency-name.ts";

let mine: TestIntegrator;

beforeAll(async () => {
  mine = await newIntegrator(10_000);
});

function lookUp(key: string, by: ApiCall = { key: mine.apiKey }) {
  return call(`GET /idempotency-keys/${encodeURIComponent(key)}`, by);
}

function unseen(key: string, state = "unknown") {
  return {
    data: {
      key,
      state,
      operation: null,
      status: null,
      body: null,
      request_id: null,
      completed_at: null,
    },
  };
}

/** Credits a card of its own under a key. */
async function credit(key: string, amount: number) {
  const card = await newCard(mine);
  return call("PATCH /cards/credit/balance", {
    key: mine.apiKey,
    body: { card_id: card.id, amount },
    headers: { "Idempotency-Key": key },
  });
}

async function floatOf(): Promise<unknown> {
  return (await call("GET /card-integrators/float", { key: mine.apiKey })).json;
}

describe("what became of a request", () => {
  test("one that was done is told with its first answer, and nothing is done again", async () => {
    const key = `order 42/a?b#"c"%2f`.replaceAll(" ", "_");
    const first = await credit(key, 10);
    const before = await floatOf();
    const reply = await lookUp(key);
    expect(reply).toMatchObject({ status: 200 });
    expect(reply.json).toEqual({
      data: {
        key,
        state: "completed",
        operation: "creditCard",
        status: 200,
        body: first.json,
        request_id: first.headers.get("x-request-id"),
        completed_at: expect.stringMatching(/Z$/u),
      },
    });
    expect(await floatOf()).toEqual(before);
  });

  test("one that was refused is told with the refusal", async () => {
    const key = newId();
    const refused = await credit(key, 1_000_000);
    expect((await lookUp(key)).json).toMatchObject({
      data: { state: "completed", operation: "creditCard", status: 422, body: refused.json },
    });
  });

  test("one that never came, and one that was invalid, are unknown, and looking makes nothing of them", async () => {
    const [never, invalid] = [newId(), newId()];
    await credit(invalid, -1);
    expect((await lookUp(never)).json).toEqual(unseen(never));
    expect((await lookUp(invalid)).json).toEqual(unseen(invalid));
    // The key is still free.
    expect((await credit(never, 10)).status).toBe(200);
  });

  test("one that is being performed is in progress, wherever it is performed", async () => {
    const key = newId();
    await whileLocked([`${mine.id} ${toIdempotencyName(mine.id, key)}`], async () => {
      expect((await lookUp(key)).json).toEqual(unseen(key, "in_progress"));
      expect((await lookUp(newId())).json).toMatchObject({ data: { state: "unknown" } });
    });
    expect((await lookUp(key)).json).toEqual(unseen(key));
  });

  test("while a request runs it is never unknown once it has begun", async () => {
    const key = newId();
    const running = credit(key, 10);
    const states: string[] = [];
    while (states.at(-1) !== "completed") {
      states.push(((await lookUp(key)).json as { data: { state: string } }).data.state);
    }
    expect((await running).status).toBe(200);
    // It only ever moves on.
    const order = ["unknown", "in_progress", "completed"];
    expect(states).toEqual(states.toSorted((a, b) => order.indexOf(a) - order.indexOf(b)));
  });

  test("one that moved funds and whose answer is no longer kept has expired", async () => {
    const key = newId();
    await move(mine, {
      kind: "top-up",
      amount: 1,
      idempotencyKey: toIdempotencyName(mine.id, key),
    });
    expect((await lookUp(key)).json).toEqual(unseen(key, "expired"));
  });

  test("text that no key can be is a 422 that names it", async () => {
    for (const malformed of ["a b", "é", "a".repeat(256)]) {
      expectProblem(await lookUp(malformed), {
        status: 422,
        errors: { key: [expect.any(String)] },
      });
    }
  });
});

describe("who may see what", () => {
  test("another integrator's key is as unknown as one that never was", async () => {
    const key = newId();
    await credit(key, 10);
    const other = await newIntegrator();
    const answer = await lookUp(key, { key: other.apiKey });
    expect(answer.json).toEqual(unseen(key));
  });

  test("the body takes the scope of the operation; the state does not", async () => {
    const key = newId();
    const first = await credit(key, 10);
    const { key: reader } = await newScopedKey(mine.id, ["cards:read", "account:read"]);
    const { key: mover } = await newScopedKey(mine.id, ["funds:write"]);
    expect((await lookUp(key, { key: reader })).json).toMatchObject({
      data: { state: "completed", status: 200, operation: "creditCard", body: null },
    });
    expect((await lookUp(key, { key: mover })).json).toMatchObject({ data: { body: first.json } });
  });

  test("an answer with a secret is told without its body, and none is kept where nothing is", async () => {
    const { headers } = await newStaff(mine.id, "owner");
    const [sealed, secret] = [newId(), newId()];
    const rotated = await call("POST /webhooks/rotate-secret", {
      headers: { ...headers, "Idempotency-Key": sealed },
    });
    expect(rotated.status).toBe(200);
    const reply = await lookUp(sealed, { headers });
    expect(reply.json).toMatchObject({
      data: { state: "completed", operation: "rotateWebhookSecret", status: 200, body: null },
    });
    expect(reply.text).not.toContain("whsec_");
    await call("POST /api-keys", {
      headers: { ...headers, "Idempotency-Key": secret },
      body: { name: "Nightly", scopes: ["cards:read"] },
    });
    expect((await lookUp(secret, { headers })).json).toEqual(unseen(secret));
  });

  test("whoever still has to set up a second factor sees no body", async () => {
    const key = newId();
    await credit(key, 10);
    const { headers } = await newStaff(mine.id, "operator");
    const require = (required: boolean) =>
      testDatabase().db.execute(
        sql`update integrators set second_factor_required = ${required} where id = ${mine.id}`,
      );
    await require(true);
    expect((await lookUp(key, { headers })).json).toMatchObject({ data: { body: null } });
    await require(false);
    expect((await lookUp(key, { headers })).json).toMatchObject({
      data: { body: { balance: 10 } },
    });
  });

  test.each([
    ["a 401 without a credential", () => undefined, { status: 401, code: "credential_missing" }],
    ["a 403 for the card network", newProcessorKey, { status: 403, code: "scope_missing" }],
  ] as const)("%s", async (_name, newKey, refusal) => {
    const reply = await lookUp(newId(), { key: await newKey() });
    expect(reply.status).toBe(refusal.status);
    expectProblem(reply, refusal);
  });

  test("an answer stored before operations were recorded is told without its body", async () => {
    const key = newId();
    await credit(key, 10);
    await testDatabase().db.execute(
      sql`update idempotent_requests set operation = null where key = ${toIdempotencyName(mine.id, key)}`,
    );
    expect((await lookUp(key)).json).toMatchObject({
      data: { state: "completed", operation: null, status: 200, body: null },
    });
  });
});
