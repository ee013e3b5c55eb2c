import { beforeAll, describe, expect, test } from "vitest";
import { call } from "#test/scene/api-client.ts";
import type { ApiReply } from "#test/scene/api-client.ts";
import { newCard, newIntegrator, newProcessorKey, newScopedKey } from "#test/scene/fixtures.ts";
import type { TestIntegrator } from "#test/scene/fixtures.ts";
import { expectProblem } from "#test/scene/problems.ts";
import { newStaff } from "#test/scene/staff.ts";
import type { TestStaff } from "#test/scene/staff.ts";
import { credentialOf, kindOfId, newTenant, sampleBody, toLine } from "#test/scene/tenant.ts";
import type { Tenant } from "#test/scene/tenant.ts";
import type { Scope } from "#lib/base/actor.ts";
import { OPERATIONS } from "#lib/operations/operations.ts";
import type { Operation } from "#lib/operations/operation.ts";
import { newId } from "#lib/base/ids.ts";

const all: readonly Operation[] = OPERATIONS;
const guarded = all.filter(({ scope }) => scope !== null);
const named = (list: readonly Operation[]) => list.map((each) => [each.id, each] as const);

let mine: TestIntegrator;
let owner: TestStaff;
let stranger: Tenant;
let processorKey: string;
/** Each key has one scope; together they can be used to lack every scope. */
let bareKeys: { scope: Scope; key: string }[];

beforeAll(async () => {
  mine = await newIntegrator(1_000);
  owner = await newStaff(mine.id, "owner");
  stranger = await newTenant();
  processorKey = await newProcessorKey();
  bareKeys = await Promise.all(
    (["webhooks:read", "cards:read"] as const).map(async (scope) => ({
      scope,
      ...(await newScopedKey(mine.id, [scope])),
    })),
  );
});

function asMine(operation: Operation) {
  return credentialOf(operation, { ...mine, owner, processorKey });
}

/** A problem without the members that differ from request to request. */
function stableMembers({ json }: ApiReply): Record<string, unknown> {
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
  "%s names an unknown member",
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

describe("another integrator's id gets the same 404 as an unknown one", () => {
  const withId = guarded.filter(({ path }) => path.includes("{id}"));

  test.each(named(withId.filter(({ kind }) => kind !== "processor")))(
    "%s",
    async (_id, operation) => {
      const they = await newTenant();
      const foreignId = they.ids[kindOfId(operation)];
      const ask = (pathId: string, by = { ...mine, owner, processorKey }) =>
        call(toLine(operation, pathId), {
          ...credentialOf(operation, by),
          body: operation.body ? sampleBody(operation, they.ids) : undefined,
        });
      const [unknown, foreign, malformed] = [
        await ask(newId()),
        await ask(foreignId),
        await ask("not-an-id"),
      ];
      for (const reply of [unknown, foreign, malformed]) {
        expectProblem(reply, { status: 404, code: operation.notFound });
      }
      expect(stableMembers(foreign)).toEqual(stableMembers(unknown));
      expect(stableMembers(malformed)).toEqual(stableMembers(unknown));
      const before = await call(`GET /cards/${they.ids.card}`, { key: they.apiKey });
      expect(before.json).toMatchObject({ status: "active", balance: 100, held: 10 });
      // The id is real and of the right kind: for its owner the request works.
      expect((await ask(foreignId, { ...they, processorKey })).status).not.toBe(404);
    },
  );

  /**
   * Every authorization belongs to the processor and to no integrator, so we use an id of another
   * kind.
   */
  test.each(named(withId.filter(({ kind }) => kind === "processor")))(
    "%s, for an id of another kind",
    async (_id, operation) => {
      const ask = (pathId: string, reference: string) =>
        call(toLine(operation, pathId), {
          key: processorKey,
          body: { ...sampleBody(operation, stranger.ids), reference },
        });
      const unknown = await ask(newId(), newId());
      for (const other of [stranger.ids.card, stranger.ids.transaction, "not-an-id"]) {
        const reply = await ask(other, newId());
        // What has been captured is kept for the operator, if its id can be one.
        const isKept = operation.id === "createCapture" && other !== "not-an-id";
        const notFound = { status: 404, code: operation.notFound };
        expectProblem(reply, isKept ? { status: 422, code: "fact_unmatched" } : notFound);
        const same = isKept || operation.id !== "createCapture" ? unknown : reply;
        expect(stableMembers(reply)).toEqual(stableMembers(same));
      }
    },
  );

  test("a cardholder, an account, and an authorization in a body", async () => {
    const card = await newCard(mine, 100);
    const create = (members: object) =>
      call("POST /cards/create-virtual-card", {
        key: mine.apiKey,
        body: {
          user_id: card.cardholderId,
          currency: "USD",
          design_type: "midnight",
          single_use: false,
          validity: 1,
          ...members,
        },
      });
    expectProblem(await create({ user_id: stranger.ids.user }), {
      status: 404,
      code: "user_not_found",
    });
    expectProblem(await create({ card_integrator_id: stranger.id }), {
      status: 404,
      code: "integrator_not_found",
    });
    const play = (type: string, transaction_id: string) =>
      call(`POST /cards/${card.id}/mock-transaction`, {
        key: mine.apiKey,
        body: { type, transaction_id },
      });
    for (const type of ["capture", "reversal", "refund"]) {
      const foreign = await play(type, stranger.ids.authorization);
      expectProblem(foreign, { status: 404 });
      expect(stableMembers(foreign)).toEqual(stableMembers(await play(type, newId())));
    }
  });

  test.each(["/cards/credit/balance", "/cards/debit/balance", "/cards/top-up"])(
    "in the body of %s too, and a malformed one is a 422 on that member",
    async (path) => {
      const ask = (id: string) =>
        call(`PATCH ${path}`, { key: mine.apiKey, body: { card_id: id, amount: 1 } });
      expectProblem(await ask(stranger.ids.card), { status: 404, code: "card_not_found" });
      expectProblem(await ask(newId()), { status: 404, code: "card_not_found" });
      expectProblem(await ask("1"), { status: 422, errors: { card_id: [expect.any(String)] } });
    },
  );

  test("the other integrator's card is unchanged after all of this", async () => {
    const theirs = await call(`GET /cards/${stranger.ids.card}`, { key: stranger.apiKey });
    expect(theirs.json).toMatchObject({ status: "active", balance: 100 });
    const listed = await call("GET /cards", { key: mine.apiKey });
    expect(listed.text).not.toContain(stranger.ids.card);
  });
});
