import { expect, test } from "vitest";
import { getClock } from "#lib/operations/sandbox-clock/get-clock.ts";
import { toAnswer } from "#lib/api/wire/answer.ts";

const CLOCK = { now: "2026-11-23T10:00:00.000Z", offset_seconds: 0, advancing_to: null };

test("an answer with a member that its contract does not declare fails the test that meets it", () => {
  const undeclared = { ...CLOCK, seed: 7 };
  expect(() => toAnswer(getClock, { body: { data: undeclared } })).toThrow("seed");
});

test("stored JSON is answered byte for byte, and is checked alike", () => {
  const text = `{ "data": ${JSON.stringify(CLOCK)} }`;
  expect(toAnswer(getClock, { text }).body).toBe(text);
  expect(() => toAnswer(getClock, { text: '{"data":{}}' })).toThrow("now");
});
