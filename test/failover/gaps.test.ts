import { expect, test } from "vitest";
import { newHistory, newRecorded } from "#test/torture/history.ts";
import type { History, Recorded } from "#test/torture/history.ts";
import { findLongestGap } from "./gaps.ts";

function acknowledged(integratorId: string, endedAt: number, operation = "credit"): Recorded {
  const key = `${integratorId}-${endedAt}`;
  return newRecorded({ operation, integratorId, key, startedAt: endedAt, endedAt });
}

function historyOf(...requests: Recorded[]): History {
  const integratorIds = [...new Set(requests.map(({ integratorId }) => integratorId))];
  return { ...newHistory(), requests, integratorIds };
}

const at = (integratorId: string, ...moments: number[]) =>
  moments.map((moment) => acknowledged(integratorId, moment));

test("the gap is that of the customer who waited longest, from the answer before it to the one after", () => {
  const history = historyOf(...at("a", 90, 210, 220), ...at("b", 95, 400, 410));
  expect(findLongestGap(history, { from: 100, to: 500 })).toBe(305);
});

test("a gap belongs to the time in which it ends, and counts whole", () => {
  const history = historyOf(...at("a", 0, 90, 110, 190, 450, 460));
  expect(findLongestGap(history, { from: 100, to: 200 })).toBe(80);
  expect(findLongestGap(history, { from: 200, to: 500 })).toBe(260);
});

test("reads and refusals are no acknowledged changes", () => {
  const refused = { ...acknowledged("a", 150), status: 503 };
  const history = historyOf(...at("a", 90, 300), acknowledged("a", 160, "getFloat"), refused);
  expect(findLongestGap(history, { from: 100, to: 400 })).toBe(210);
});

test("a customer whose changes are acknowledged no more waits forever", () => {
  const history = historyOf(...at("a", 90), ...at("b", 90, 110));
  expect(findLongestGap(history, { from: 100, to: 200 })).toBe(Number.POSITIVE_INFINITY);
});
