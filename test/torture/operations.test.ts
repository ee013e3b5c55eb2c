import { expect, test } from "vitest";
import { OPERATIONS } from "#lib/operations/operations.ts";
import { DRIVEN, LEFT_OUT, findNeverAcknowledged } from "./operations.ts";

test("torture sends every operation of the contract, or says why it does not", () => {
  const known = [...Object.keys(DRIVEN), ...Object.keys(LEFT_OUT)];
  expect(known.toSorted()).toEqual(OPERATIONS.map(({ id }) => id).toSorted());
});

test("each request of the history belongs to one operation", () => {
  const names = Object.values(DRIVEN).flat();
  expect(names).toHaveLength(new Set(names).size);
});

test("an operation is acknowledged once any of its requests is", () => {
  const never = findNeverAcknowledged(new Set(["capture", "getFloat"]));
  expect(never).not.toContain("mockTransaction");
  expect(never).not.toContain("getFloat");
  expect(never).toContain("creditCard");
});
