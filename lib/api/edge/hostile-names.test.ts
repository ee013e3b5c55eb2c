import { beforeAll, describe, expect, test } from "vitest";
import { call } from "#test/scene/api-client.ts";
import type { ApiReply } from "#test/scene/api-client.ts";
import { newIntegrator, newProcessorKey } from "#test/scene/fixtures.ts";
import type { TestIntegrator } from "#test/scene/fixtures.ts";
import { expectProblem } from "#test/scene/problems.ts";
import { newStaff } from "#test/scene/staff.ts";
import type { TestStaff } from "#test/scene/staff.ts";
import { OPERATIONS } from "#lib/operations/operations.ts";
import type { Operation } from "#lib/operations/operation.ts";

/** Names that every object inherits: a lookup in a plain object finds them although absent. */
const INHERITED = [
  "constructor",
  "toString",
  "valueOf",
  "hasOwnProperty",
  "isPrototypeOf",
  "__proto__",
  "__defineGetter__",
] as const;

const all: readonly Operation[] = OPERATIONS;
const named = (list: readonly Operation[]) => list.map((each) => [each.id, each] as const);

let mine: TestIntegrator;
let owner: TestStaff;
let processorKey: string;

beforeAll(async () => {
  mine = await newIntegrator(1_000);
  owner = await newStaff(mine.id, "owner");
  processorKey = await newProcessorKey();
});

function ask(operation: Operation, query: string, body?: string): Promise<ApiReply> {
  const { method, path, scope, staffOnly } = operation;
  const key = scope === "processor" ? processorKey : mine.apiKey;
  return call(`${method} ${path.replace("{id}", mine.id)}${query}`, {
    ...(staffOnly ? { headers: owner.headers } : { key }),
    body,
  });
}

describe("a member with a name that every object inherits is named as an unknown one", () => {
  test.each(named(all.filter(({ body }) => body)))("%s", async (_id, operation) => {
    for (const name of INHERITED) {
      const reply = await ask(operation, "", `{"${name}":1}`);
      expectProblem(reply, { status: 422, code: "validation_failed" });
      expect(Object.keys((reply.json as { errors: object }).errors)).toContain(name);
    }
  });
});

describe("a query parameter with such a name is named as an unknown one", () => {
  test.each(named(all.filter(({ method }) => method === "GET")))("%s", async (_id, operation) => {
    for (const name of INHERITED) {
      const reply = await ask(operation, `?${name}=1`);
      expectProblem(reply, { status: 422, code: "validation_failed" });
      expect(Object.keys((reply.json as { errors: object }).errors)).toContain(name.toLowerCase());
    }
  });
});

describe("such names in nested objects", () => {
  test.each(INHERITED)("in an address: %s", async (name) => {
    const reply = await call(`POST /card-integrators/${mine.id}/register-user`, {
      key: mine.apiKey,
      body: `{"address":{"${name}":{"x":1}}}`,
    });
    expectProblem(reply, { status: 422 });
    expect(Object.keys((reply.json as { errors: object }).errors)).toContain(`address.${name}`);
  });

  test.each(INHERITED)("a card_id with such a member is not an id: %s", async (name) => {
    const reply = await call("PATCH /cards/credit/balance", {
      key: mine.apiKey,
      body: `{"card_id":{"${name}":1},"amount":1}`,
    });
    expectProblem(reply, { status: 422 });
    expect(Object.keys((reply.json as { errors: object }).errors)).toEqual(
      name === "__proto__" ? ["card_id", "card_id.__proto__"] : ["card_id"],
    );
  });

  test("in metadata they are ordinary keys, except the one that JSON parsers take for the prototype", async () => {
    for (const name of INHERITED) {
      const reply = await call("POST /cards/create-virtual-card", {
        key: mine.apiKey,
        body: `{"user_id":"1","currency":"USD","design_type":"a","single_use":false,"validity":1,
          "metadata":{"${name}":"kept"}}`,
      });
      expectProblem(reply, { status: 422 });
      expect(Object.keys((reply.json as { errors: object }).errors)).toEqual(
        name === "__proto__" ? ["user_id", "metadata.__proto__"] : ["user_id"],
      );
    }
  });
});

describe("times at the limits of the calendar", () => {
  const REFUSED = [
    "0000-01-01T00:00:00Z",
    "0001-01-01T00:00:00+14:00",
    "9999-12-31T23:59:59-14:00",
  ];
  test.each(
    REFUSED.flatMap((at) =>
      ["from", "to"].flatMap((name) =>
        ["/transactions", "/exports/transactions"].map((path) => [path, name, at] as const),
      ),
    ),
  )("%s refuses %s=%s, naming the parameter", async (path, name, at) => {
    const reply = await call(`GET ${path}?${name}=${encodeURIComponent(at)}`, { key: mine.apiKey });
    expectProblem(reply, { status: 422, errors: { [name]: [expect.any(String)] } });
  });

  test.each(["0001-01-01T00:00:00Z", "9999-12-31T23:59:59.999Z", "2024-02-29T12:00:00+14:00"])(
    "%s is a valid time",
    async (at) => {
      for (const name of ["from", "to"]) {
        const reply = await call(`GET /transactions?${name}=${encodeURIComponent(at)}`, {
          key: mine.apiKey,
        });
        expect(reply.status).toBe(200);
      }
    },
  );
});
