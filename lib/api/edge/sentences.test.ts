import { afterAll, beforeAll, expect, test } from "vitest";
import { z } from "zod";
import { call } from "#test/scene/api-client.ts";
import { newTenant, sampleBody, sampleQuery } from "#test/scene/tenant.ts";
import type { Tenant } from "#test/scene/tenant.ts";
import { OPERATIONS } from "#lib/operations/operations.ts";
import { validate } from "#lib/api/edge/validate.ts";
import { isDomainError } from "#lib/base/errors.ts";
import { toLayers } from "#lib/base/log-safe.ts";

/** zod's own sentences, for which neither a schema nor our map has a better one. They tell a client nothing. */
const UNSAID = "Invalid input";

const LONG = "x".repeat(3_000);
const TEXTS = ["", " ", "nonsense", "-1", "0", "1.5", "1000000", "9".repeat(30), "\u{1f642}", LONG];
const VALUES = [...TEXTS, null, true, -1, 0, 1, 2 ** 53, [], [null], ["x"], [[]], {}, { x: 1 }];

let tenant: Tenant;

beforeAll(async () => {
  tenant = await newTenant();
  z.config({ localeError: () => UNSAID });
});

afterAll(() => {
  z.config(z.locales.en());
});

/** The members of a schema at any depth, as paths. */
function findMembers(schema: z.core.$ZodType): string[][] {
  const object = toLayers(schema).find((layer) => layer instanceof z.ZodObject);
  return Object.entries(object?.shape ?? {}).flatMap(([name, member]) => [
    [name],
    ...findMembers(member).map((path) => [name, ...path]),
  ]);
}

/** The value with one member replaced. */
function withMember(value: unknown, [name, ...rest]: readonly string[], member: unknown): unknown {
  if (name === undefined) {
    return member;
  }
  const object: Record<string, unknown> = { ...Object(value) };
  return { ...object, [name]: withMember(object[name], rest, member) };
}

function findErrors(
  schema: z.ZodType,
  value: unknown,
): Readonly<Record<string, readonly string[]>> {
  try {
    validate(schema, value);
    return {};
  } catch (error) {
    return (isDomainError(error) && error.errors) || { thrown: [String(error)] };
  }
}

/** What is said of the values of each member of a query or a body, where it is not a sentence about that member. */
function findUnclear(schema: z.ZodType, sample: object, values: readonly unknown[]): string[] {
  return findMembers(schema).flatMap((path) =>
    values.flatMap((value) => {
      const errors = Object.entries(findErrors(schema, withMember(sample, path, value)));
      const isClear = errors.every(
        ([name, sentences]) =>
          path.join(".").startsWith(name.split(".")[0] ?? "") &&
          sentences.every((each) => each !== UNSAID && /^[A-Z].+\.$/su.test(each)),
      );
      const given = JSON.stringify(value).slice(0, 40);
      return isClear ? [] : [`${path.join(".")} = ${given}: ${JSON.stringify(errors)}`];
    }),
  );
}

test.each(OPERATIONS.map((operation) => [operation.id, operation] as const))(
  "%s says of every parameter and member what is wrong with it",
  (_id, operation) => {
    const { query, body } = operation;
    expect(findUnclear(query, sampleQuery(operation), TEXTS)).toEqual([]);
    expect(body ? findUnclear(body, sampleBody(operation, tenant.ids), VALUES) : []).toEqual([]);
  },
);

test.each([
  ["/cards?user_id=nonsense", "user_id", "This field must be a UUID."],
  ["/cards?page=1000000", "page", "This field must be a whole number, 1 to 1000."],
  ["/cards?limit=101", "limit", "This field must be a whole number, 1 to 100."],
  ["/cards?cursor=" + "x".repeat(256), "cursor", "This field must have at most 255 characters."],
  ["/cards?limit=1&limit=2", "limit", "This field must appear once and must not contain U+0000."],
])("GET %.30s names %s and what is allowed", async (path, member, sentence) => {
  const reply = await call(`GET ${path}`, { key: tenant.apiKey });
  expect(reply).toMatchObject({ status: 422, json: { errors: { [member]: [sentence] } } });
});
