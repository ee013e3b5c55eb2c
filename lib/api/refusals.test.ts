import { eq } from "drizzle-orm";
import { beforeAll, describe, expect, test } from "vitest";
import { call } from "#db/testing/api-client.ts";
import type { ApiReply } from "#db/testing/api-client.ts";
import { testDatabase } from "#db/testing/database.ts";
import { newCard, newIntegrator, newProcessorKey, write } from "#db/testing/fixtures.ts";
import type { TestIntegrator } from "#db/testing/fixtures.ts";
import { expectProblem } from "#db/testing/problems.ts";
import { newStaff } from "#db/testing/staff.ts";
import type { TestStaff } from "#db/testing/staff.ts";
import { apiKeys } from "#db/schema/integrators.ts";
import { inTransaction } from "#db/transaction.ts";
import type { Scope } from "#lib/actor.ts";
import { createApiKey } from "#lib/api-keys.ts";
import { OPERATIONS } from "#lib/api/contract/operations.ts";
import type { Operation } from "#lib/api/contract/operation.ts";
import { sendTest } from "#lib/endpoints.ts";
import { newId } from "#lib/ids.ts";
import { updateAccount } from "#lib/integrators.ts";

const all: readonly Operation[] = OPERATIONS;
const guarded = all.filter(({ scope }) => scope !== null);
const named = (list: readonly Operation[]) => list.map((each) => [each.id, each] as const);

let mine: TestIntegrator;
let strangers: Record<
  "key" | "card" | "integrator" | "transaction" | "staff" | "apiKey" | "delivery",
  string
>;
let owner: TestStaff;
let processorKey: string;
/** Each may do one thing; together they lack every scope. */
let bareKeys: { scope: Scope; key: string }[];

beforeAll(async () => {
  mine = await newIntegrator(1_000);
  owner = await newStaff(mine.id, "owner");
  const stranger = await newIntegrator(1_000);
  const card = await newCard(stranger, 100);
  const listed = await call("GET /transactions", { key: stranger.apiKey });
  const [transaction] = (listed.json as { data: { id: string }[] }).data;
  await write(stranger, (ctx) => updateAccount(ctx, { webhookUrl: "https://hooks.example.com/" }));
  strangers = {
    key: stranger.apiKey,
    card: card.id,
    integrator: stranger.id,
    staff: (await newStaff(stranger.id, "operator")).id,
    apiKey: await findKeyId(stranger.id),
    transaction: transaction?.id ?? "",
    delivery: await write(stranger, sendTest),
  };
  processorKey = await newProcessorKey();
  bareKeys = await Promise.all((["webhooks:read", "cards:read"] as const).map(newBareKey));
});

async function newBareKey(scope: Scope): Promise<{ scope: Scope; key: string }> {
  const { key } = await inTransaction(testDatabase().db, (tx) =>
    createApiKey(tx, {
      integratorId: mine.id,
      environment: "sandbox",
      name: "Bare",
      scopes: [scope],
      expiresAt: null,
      createdBy: "test",
    }),
  );
  return { scope, key };
}

async function findKeyId(integratorId: string): Promise<string> {
  const [row] = await testDatabase()
    .db.select({ id: apiKeys.id })
    .from(apiKeys)
    .where(eq(apiKeys.integratorId, integratorId));
  return row?.id ?? "";
}

/** The credential that an operation takes: a person's where it is for people alone. */
function asMine({ staffOnly, scope }: Operation): {
  key?: string;
  headers?: Record<string, string>;
} {
  if (staffOnly) {
    return { headers: owner.headers };
  }
  return { key: scope === "processor" ? processorKey : mine.apiKey };
}

function toLine({ method, path }: Operation, id: string): string {
  return `${method} ${path.replace("{id}", id)}`;
}

function foreignIdFor(operation: Operation): string {
  if (operation.staffOnly) {
    return operation.path.startsWith("/api-keys") ? strangers.apiKey : strangers.staff;
  }
  if (operation.path.startsWith("/cards/transaction/")) {
    return strangers.transaction;
  }
  if (operation.path.startsWith("/webhook-deliveries/")) {
    return strangers.delivery;
  }
  return operation.path.startsWith("/card-integrators/") ? strangers.integrator : strangers.card;
}

/** A problem without what differs from request to request. */
function words({ json }: ApiReply): Record<string, unknown> {
  const { instance: _path, request_id: _id, ...rest } = json as Record<string, unknown>;
  return rest;
}

test.each(named(guarded))(
  "%s without a key is a 401 that names the scheme",
  async (_id, operation) => {
    const reply = await call(toLine(operation, newId()), {
      body: operation.body ? {} : undefined,
      address: "10.0.0.1",
    });
    expectProblem(reply, { status: 401, code: "credential_missing" });
    expect(reply.headers.get("www-authenticate")).toMatch(/^Bearer/u);
  },
);

test.each(named(guarded))("%s without its scope is a 403 that names it", async (_id, operation) => {
  const reply = await call(toLine(operation, newId()), {
    key: bareKeys.find(({ scope }) => scope !== operation.scope)?.key,
    body: operation.body ? {} : undefined,
  });
  expectProblem(reply, {
    status: 403,
    code: "scope_missing",
    detail: expect.stringContaining(String(operation.scope)),
  });
});

test.each(named(all.filter(({ body }) => body)))(
  "%s names a member that it does not know",
  async (_id, operation) => {
    const reply = await call(toLine(operation, mine.id), {
      ...asMine(operation),
      body: { surplus: 1 },
    });
    expectProblem(reply, {
      status: 422,
      message: "Unprocessable entity",
      errors: expect.objectContaining({ surplus: [expect.any(String)] }),
    });
  },
);

describe("another integrator's id is the 404 of an unknown one, in the same words", () => {
  const body = {
    registerUser: {
      address: { city: "A", country: "A", line1: "A", line2: null, state: "A", zip_code: "A" },
      email: "a@example.com",
      first_name: "A",
      last_name: "A",
      id_number: "1234",
      id_type: "A",
      phone_number: "1",
    },
    changeRole: { role: "viewer" },
    createCapture: { reference: "capture-of-a-stranger" },
    createReversal: { reference: "reversal-of-a-stranger" },
    mockTransaction: { type: "deduct", amount: 1 },
  } as Record<string, unknown>;

  test.each(named(guarded.filter(({ path }) => path.includes("{id}"))))(
    "%s",
    async (id, operation) => {
      const ask = (pathId: string) =>
        call(toLine(operation, pathId), { ...asMine(operation), body: body[id] });
      const [unknown, foreign, malformed] = [
        await ask(newId()),
        await ask(foreignIdFor(operation)),
        await ask("not-an-id"),
      ];
      for (const reply of [unknown, foreign, malformed]) {
        expectProblem(reply, { status: 404 });
      }
      expect(words(foreign)).toEqual(words(unknown));
      expect(words(malformed)).toEqual(words(unknown));
    },
  );

  test.each(["/cards/credit/balance", "/cards/debit/balance", "/cards/top-up"])(
    "in the body of %s too, and a malformed one is a 422 on that member",
    async (path) => {
      const ask = (id: string) =>
        call(`PATCH ${path}`, { key: mine.apiKey, body: { card_id: id, amount: 1 } });
      expectProblem(await ask(strangers.card), { status: 404, code: "card_not_found" });
      expectProblem(await ask(newId()), { status: 404, code: "card_not_found" });
      expectProblem(await ask("1"), { status: 422, errors: { card_id: [expect.any(String)] } });
    },
  );

  test("the stranger's card is untouched after all of this", async () => {
    const theirs = await call(`GET /cards/${strangers.card}`, { key: strangers.key });
    expect(theirs.json).toMatchObject({ status: "active", balance: 100 });
    const listed = await call("GET /cards", { key: mine.apiKey });
    expect(listed.text).not.toContain(strangers.card);
  });
});
