import { assert, jsonValue, property } from "fast-check";
import { expect, test } from "vitest";
import { toCanonicalJson } from "#lib/api/edge/internal/canonical-json.ts";

test("members are sorted, at every level; elements keep their order", () => {
  const value = JSON.parse('{"b":[{"z":1,"a":null},"2",[]],"10":true,"9":"x","a":{}}');
  expect(toCanonicalJson(value)).toBe('{"10":true,"9":"x","a":{},"b":[{"a":null,"z":1},"2",[]]}');
});

const form = (text: string) => toCanonicalJson(JSON.parse(text));

test("the spelling of a string does not matter, its characters do", () => {
  expect(form(String.raw`{"a":"\u00e9\/"}`)).toBe(form('{ "\\u0061" : "é/" }'));
  expect(form('{"a":"é"}')).not.toBe(form('{"a":"e\u0301"}'));
});

test("any value keeps its meaning, and has one form whatever the order of its members", () => {
  assert(
    property(jsonValue(), (value) => {
      const written = toCanonicalJson(value);
      expect(JSON.parse(written)).toEqual(JSON.parse(JSON.stringify(value)));
      expect(toCanonicalJson(reverseMembers(JSON.parse(written)))).toBe(written);
    }),
  );
});

function reverseMembers(value: unknown): unknown {
  if (Array.isArray(value)) {
    return value.map(reverseMembers);
  }
  if (value === null || typeof value !== "object") {
    return value;
  }
  return Object.fromEntries(
    Object.entries(value)
      .toReversed()
      .map(([name, member]) => [name, reverseMembers(member)]),
  );
}
