import { expect, test } from "vitest";
import { findFailures } from "./report.ts";
import type { UpgradeReport } from "./report.ts";

const QUIET: UpgradeReport = {
  rows: [{ table: "entries", rows: 2_000_000 }],
  readyMs: 60_000,
  locks: { longestWait: { ms: 900, query: "" }, held: [], statements: [] },
  requests: 10_000,
  failed: [],
  slowestMs: 2_000,
  violations: [],
  discrepancies: [],
};

test("an upgrade that nobody noticed has no failures", () => {
  expect(findFailures(QUIET)).toEqual([]);
});

test.each<[string, Partial<UpgradeReport>]>([
  ["a failed request", { failed: [{ phase: "both", status: 503, code: null, count: 1 }] }],
  ["a broken guarantee", { violations: ["sequences have no gaps: 3 of a card"] }],
  ["a long wait", { locks: { ...QUIET.locks, longestWait: { ms: 1_001, query: "" } } }],
  [
    "a long lock",
    { locks: { ...QUIET.locks, held: [{ table: "cards", mode: "ShareLock", ms: 1_001 }] } },
  ],
  ["unbalanced books", { discrepancies: [{ integratorId: "i", rule: "r", about: "a" }] }],
])("%s is a failure", (_name, noticed) => {
  expect(findFailures({ ...QUIET, ...noticed })).toHaveLength(1);
});
