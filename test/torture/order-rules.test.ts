import { expect, test } from "vitest";
import { newHistory, newRecorded } from "./history.ts";
import type { Recorded } from "./history.ts";
import { checkCloses, checkRevokedKeys } from "./order-rules.ts";

/** An acknowledged request that took from one moment to the other. */
function answered(
  operation: string,
  [startedAt, endedAt]: [number, number],
  rest: Partial<Recorded> = {},
): Recorded {
  return newRecorded({ operation, key: operation, startedAt, endedAt, ...rest });
}

function historyOf(...requests: Recorded[]) {
  return { ...newHistory(), requests };
}

test("an approval that was sent after its card was closed is found", () => {
  const closed = answered("closeCard", [100, 200], { cardId: "card" });
  const approve = (at: number, data = {}) =>
    answered("deduct", [at, at + 10], { cardId: "card", data });
  expect(checkCloses(historyOf(closed, approve(190)))).toEqual([]);
  expect(checkCloses(historyOf(closed, approve(210, { status: "declined" })))).toEqual([]);
  expect(checkCloses(historyOf(closed, approve(210)))).toEqual([
    "deduct deduct on card card was approved 10 ms after closeCard closeCard was answered",
  ]);
});

function revoke(repeats: number): Recorded {
  const setbacks = Array.from({ length: repeats }, () => ({ status: 503, code: null, at: 150 }));
  return answered("revokeApiKey", [100, 200], { target: "key", setbacks });
}

function use(at: number, server: string): Recorded {
  return answered("use_key", [at, at + 10], { target: "key", server });
}

test("a revoked key must be refused at once where it was revoked, and elsewhere five seconds later", () => {
  expect(checkRevokedKeys(historyOf(revoke(0), use(190, "one"), use(5_200, "two")))).toEqual([]);
  expect(checkRevokedKeys(historyOf(revoke(0), use(201, "one")))).toHaveLength(1);
  expect(checkRevokedKeys(historyOf(revoke(0), use(5_201, "two")))).toHaveLength(1);
  // Another server may have revoked it, and this one only repeated the answer.
  expect(checkRevokedKeys(historyOf(revoke(1), use(201, "one")))).toEqual([]);
});
