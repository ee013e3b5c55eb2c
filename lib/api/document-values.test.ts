import * as fc from "fast-check";
import { beforeAll, expect, test } from "vitest";
import { z } from "zod";
import { createChecker, readDocument, toOperations } from "#test/scene/document.ts";
import type { DocumentedOperation, ServedDocument } from "#test/scene/document.ts";
import { findRule, toArbitrary } from "#test/scene/schema-values.ts";
import { readQuery } from "#lib/api/edge/internal/read-query.ts";
import { OPERATIONS } from "#lib/operations/operations.ts";

/** Whatever body or query the document allows, the server takes, unless it breaks a member's `x-rule`. */

let document: ServedDocument;
let documented: Map<string, DocumentedOperation>;
let check: ReturnType<typeof createChecker>;

beforeAll(async () => {
  document = await readDocument();
  documented = toOperations(document);
  check = createChecker(document);
});

const RUNS = 400;
/** Of them, so many inputs at least keep the conditions between members. */
const ALLOWED_MIN = 5;

/** A value that the schema allows and the server refuses, without a rule that says so; null if there is none. */
function findRefused(schema: object, parse: (value: unknown) => z.ZodSafeParseResult<unknown>) {
  let allowed = 0;
  const isTaken = (value: unknown) => {
    if (check(schema, value) !== null) {
      return true;
    }
    allowed += 1;
    const issues = parse(value).error?.issues ?? [];
    return issues.every(({ path }) => findRule(schema, path, document));
  };
  const { counterexample } = fc.check(fc.property(toArbitrary(schema, document), isTaken), {
    numRuns: RUNS,
  });
  const [refused] = counterexample ?? [];
  return refused === undefined && allowed < ALLOWED_MIN
    ? `Only ${allowed} values were allowed.`
    : (refused ?? null) && { refused, issues: parse(refused).error?.issues };
}

const WITH_BODY = OPERATIONS.filter(({ body }) => body !== null);

test.each(WITH_BODY.map((operation) => [operation.id, operation] as const))(
  "the body of %s",
  (id, { body }) => {
    const { schema = {} } = documented.get(id)?.requestBody?.content["application/json"] ?? {};
    expect(findRefused(schema, (value) => (body ?? z.never()).safeParse(value))).toBe(null);
  },
);

const WITH_QUERY = OPERATIONS.filter(
  ({ query }) => query instanceof z.ZodObject && Object.keys(query.shape).length > 0,
);

test.each(WITH_QUERY.map((operation) => [operation.id, operation] as const))(
  "the query of %s",
  (id, { query }) => {
    const parameters = (documented.get(id)?.parameters ?? []).filter((each) => each.in === "query");
    const schema = {
      type: "object",
      properties: Object.fromEntries(parameters.map((each) => [each.name, each.schema])),
      required: parameters.flatMap(({ name, required }) => (required ? name : [])),
    };
    const parse = (value: unknown) => query.safeParse(readQuery(toUrl(Object(value)), query));
    expect(findRefused(schema, parse)).toBe(null);
  },
);

/** As the document says: a list with commas, an object as `name[key]`. */
function toUrl(value: Readonly<Record<string, unknown>>): URL {
  const url = new URL("https://floatdeck.example/");
  for (const [name, given] of Object.entries(value)) {
    if (typeof given === "object" && given !== null && !Array.isArray(given)) {
      for (const [key, entry] of Object.entries(given)) {
        url.searchParams.append(`${name}[${key}]`, String(entry));
      }
    } else {
      url.searchParams.append(name, String(given));
    }
  }
  return url;
}

test("every x-rule is a sentence", () => {
  const rules = [...JSON.stringify(document).matchAll(/"x-rule":"(?<rule>[^"]*)"/gu)];
  expect(rules.length).toBeGreaterThan(4);
  expect(rules.filter(({ groups }) => !/^[A-Z].*\.$/u.test(groups?.["rule"] ?? ""))).toEqual([]);
});
