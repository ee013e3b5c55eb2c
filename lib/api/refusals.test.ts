import { beforeAll, describe, expect, test } from "vitest";
import { call } from "#db/testing/api-client.ts";
import type { ApiReply } from "#db/testing/api-client.ts";
import { testDatabase } from "#db/testing/database.ts";
import { newCard, newIntegrator, write } from "#db/testing/fixtures.ts";
import type { TestIntegrator } from "#db/testing/fixtures.ts";
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
let strangers: {
  key: string;
  card: string;
  integrator: string;
  transaction: string;
  delivery: string;
};
/** Each may do one thing; together they lack every scope. */
let bareKeys: { scope: Scope; key: string }[];

beforeAll(async () => {
  mine = await newIntegrator(1_000);
  const stranger = await newIntegrator(1_000);
  const card = await newCard(stranger, 100);
  const listed = await call("GET /transactions", { key: stranger.apiKey });
  const [transaction] = (listed.json as { data: { id: string }[] }).data;
  await write(stranger, (ctx) => updateAccount(ctx, { webhookUrl: "https://hooks.example.com/" }));
  strangers = {
    key: stranger.apiKey,
    card: card.id,
    integrator: stranger.id,
    transaction: transaction?.id ?? "",
    delivery: await write(stranger, sendTest),
  };
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

function toLine({ method, path }: Operation, id: string): string {
  return `${method} ${path.replace("{id}", id)}`;
}

function expectProblem(reply: ApiReply, expected: Record<string, unknown>): void {
  expect(reply.json).toMatchObject({
    type: expect.any(String),
    title: expect.any(String),
    detail: expect.any(String),
    instance: expect.stringMatching(/^\/api\//u),
    message: expect.any(String),
    request_id: reply.headers.get("x-request-id"),
    ...expected,
  });
  expect(reply.headers.get("content-type")).toMatch(/^application\/problem\+json/u);
  expect(reply.headers.get("cache-control")).toBe("no-store");
  expect(reply.headers.get("x-content-type-options")).toBe("nosniff");
}

function foreignIdFor(operation: Operation): string {
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

function update(body: unknown): Promise<ApiReply> {
  return call("PATCH /card-integrators/update", { key: mine.apiKey, body });
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
      key: mine.apiKey,
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
  } as Record<string, unknown>;

  test.each(named(guarded.filter(({ path }) => path.includes("{id}"))))(
    "%s",
    async (id, operation) => {
      const ask = (pathId: string) =>
        call(toLine(operation, pathId), { key: mine.apiKey, body: body[id] });
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

describe("an update", () => {
  test("with a fourth member changes nothing and names it", async () => {
    const reply = await update({ domain: "new.example", email: "x@example.com" });
    expectProblem(reply, { status: 422, errors: { email: [expect.any(String)] } });
    const me = await call("GET /card-integrators/me", { key: mine.apiKey });
    expect(me.json).toMatchObject({ data: { domain: "northwind.example" } });
  });

  test("names every offending member at once", async () => {
    const reply = await update({
      domain: 1,
      webhook_url: "ftp://x",
      business_address: "",
      other: 1,
    });
    const names = Object.keys((reply.json as { errors: object }).errors).toSorted();
    expect(names).toEqual(["business_address", "domain", "other", "webhook_url"]);
  });

  test.each([
    ["no body", undefined],
    ["an empty object", {}],
  ])("with %s names the three members", async (_name, body) => {
    const reply = await update(body);
    expectProblem(reply, { status: 422 });
    const names = Object.keys((reply.json as { errors: object }).errors).toSorted();
    expect(names).toEqual(["business_address", "domain", "webhook_url"]);
  });

  test.each([
    { webhook_url: "http://user:pass@example.com" },
    { webhook_url: "https://example.com/#part" },
    { webhook_url: "" },
    { webhook_url: `https://example.com/${"x".repeat(2_048)}` },
    { domain: "not a host" },
    { domain: "" },
    { domain: null },
    { business_address: "x".repeat(501) },
    { business_address: "   " },
    { business_address: null },
  ])("refuses %j", async (body) => {
    const reply = await update(body);
    expect(reply.status).toBe(422);
  });
});

describe("credentials", () => {
  test("a key with a typo, another scheme, and a revoked kind are a 401", async () => {
    const typo = mine.apiKey.replace(/.$/u, (last) => (last === "A" ? "B" : "A"));
    for (const [position, header] of [
      `Bearer ${typo}`,
      "Basic abc",
      "Bearer ",
      "Bearer",
    ].entries()) {
      const reply = await call("GET /cards", {
        headers: { Authorization: header },
        address: `10.1.0.${position}`,
      });
      expect(reply.status).toBe(401);
      expect(reply.headers.get("www-authenticate")).toMatch(/^Bearer/u);
    }
  });

  test("the twenty-first bad key from one address within a minute is a 429, a good one still works", async () => {
    const statuses = [];
    for (let tried = 0; tried < 21; tried += 1) {
      const reply = await call("GET /cards", { key: "fd_test_bad", address: "10.2.0.1" });
      statuses.push(reply.status);
    }
    expect(statuses).toEqual([...Array.from({ length: 20 }, () => 401), 429]);
    const limited = await call("GET /cards", { key: "fd_test_bad", address: "10.2.0.1" });
    expect(Number(limited.headers.get("retry-after"))).toBeGreaterThan(0);
    const good = await call("GET /cards", { key: mine.apiKey, address: "10.2.0.1" });
    expect(good.status).toBe(200);
  });
});

describe("paths and methods", () => {
  test.each(["/", "/cards/x/y/z", "/nothing", "/cards/", "/CARDS", "/card-integrators"])(
    "the unknown path %s is a problem",
    async (path) => {
      const reply = await call(`GET ${path}`, { key: mine.apiKey });
      expect(reply).toMatchObject({ status: 404, json: { code: "path_unknown", status: 404 } });
      expect(reply.headers.get("content-type")).toMatch(/^application\/problem\+json/u);
    },
  );

  test.each([
    ["DELETE", "/cards", ["GET"]],
    ["GET", "/cards/top-up", ["PATCH"]],
    ["POST", `/cards/${newId()}`, ["GET"]],
    ["PUT", "/card-integrators/update", ["PATCH"]],
    ["OPTIONS", "/cards", ["GET"]],
  ] as const)("%s %s is a 405 that says what is allowed", async (method, path, allowed) => {
    const reply = await call(`${method} ${path}`, { key: mine.apiKey });
    expectProblem(reply, { status: 405, code: "method_not_allowed" });
    for (const name of allowed) {
      expect(reply.headers.get("allow")).toContain(name);
    }
  });
});
