import { expect, test } from "vitest";
import { readCodes, readTable } from "#test/scene/guide-tables.ts";
import { OPERATIONS } from "#lib/operations/operations.ts";
import type { Operation } from "#lib/operations/operation.ts";
import { toAnswerSchema, toRequestSchema } from "#lib/api/openapi/schemas.ts";
import type { JsonSchema } from "#lib/api/openapi/schemas.ts";

/** docs/differences.md says which operations answer in which form; the contract says whether that is so. */

const all: readonly Operation[] = OPERATIONS;
const toLine = ({ method, path }: Operation) => `${method} ${path}`;

function schemaOf({ answer }: Operation): JsonSchema {
  return toAnswerSchema(answer);
}

function membersOf(operation: Operation): string[] {
  return Object.keys(schemaOf(operation).properties ?? {});
}

function namesOf({ query }: Operation): string[] {
  return Object.keys(toRequestSchema(query).properties ?? {});
}

function isList(operation: Operation): boolean {
  const schema = schemaOf(operation);
  return schema.type === "array" || Object(schema.properties?.["data"]).type === "array";
}

/** The members that every list of a form has; some have more. */
const FORMS = [
  { members: ["next_page"], row: "`data`, `message`, `next_page`, `next_cursor`" },
  {
    members: ["total_pages"],
    row: "`data`, `page`, `total`, `total_pages`, `next_cursor`",
  },
  { members: ["next_cursor"], row: "`data` and `next_cursor`, the usual form" },
  { members: ["data"], row: "`data` alone, complete" },
  { members: [], row: "an array; the `Link` header has the next page" },
];

test("the page lists every list under its form", () => {
  const found = new Map<string, string[]>();
  for (const operation of all.filter(isList)) {
    const members = membersOf(operation);
    const form = FORMS.find((each) => each.members.every((name) => members.includes(name)));
    const row = form?.row ?? "";
    found.set(row, [...(found.get(row) ?? []), toLine(operation)].toSorted());
  }
  const said = readTable("differences.md", "Lists").map(([form = "", operations = ""]) => [
    form,
    readCodes(operations).toSorted(),
  ]);
  expect(Object.fromEntries(said)).toEqual(Object.fromEntries(found));
  expect(said.length).toBe(FORMS.length);
});

test("every list that continues takes from and to, but for those that the page explains", () => {
  const continued = all
    .filter(isList)
    .filter((each) => namesOf(each).some((name) => name === "cursor" || name === "after"));
  const without = continued.filter(
    (each) => !["from", "to"].every((name) => namesOf(each).includes(name)),
  );
  const said = readTable("differences.md", "Filters of lists").flatMap(([list = ""]) =>
    readCodes(list),
  );
  expect(said.toSorted()).toEqual(without.map(toLine).toSorted());
  expect(continued.length).toBeGreaterThan(without.length);
});

/** The operations of a row of the table of answers with one object. */
function readRow(at: number): string[] {
  const [, listed = ""] = readTable("differences.md", "Responses with one object")[at] ?? [];
  return readCodes(listed).toSorted();
}

test("the page lists every answer that is the object itself", () => {
  const found = all.filter((operation) => schemaOf(operation).$ref !== undefined);
  expect(readRow(0)).toEqual(found.map(toLine).toSorted());
});

test("the page lists every answer that has a message beside data", () => {
  const found = all.filter((each) => membersOf(each).toSorted().join() === "data,message");
  expect(readRow(1)).toEqual(found.map(toLine).toSorted());
});

test("each path that the page calls ambiguous is similar to the one beside it", () => {
  const rows = readTable("differences.md", "Paths that tools call ambiguous");
  expect(rows.length).toBeGreaterThan(0);
  const paths = new Set<string>(all.map(({ path }) => path));
  for (const [one = "", other = ""] of rows.map((row) => row.flatMap(readCodes))) {
    expect([one, paths.has(one), other, paths.has(other)]).toEqual([one, true, other, true]);
    const [parts, others] = [one.split("/"), other.split("/")];
    const isSimilar = parts.every(
      (part, at) => part === others[at] || part === "{id}" || others[at] === "{id}",
    );
    expect([one, other, isSimilar && parts.length === others.length]).toEqual([one, other, true]);
  }
});
