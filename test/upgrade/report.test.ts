import { expect, test } from "vitest";
import { findFailures } from "./report.ts";
import type { UpgradeReport } from "./report.ts";

const QUIET: UpgradeReport = {
  rows: [{ table: "entries", rows: 2_000_000 }],
  readyMs: 60_000,
  locks: { longestWait: { ms: 900, query: "" }, held: [], statements: [] },
  credits: 10_000,
  failed: [],
  slowestMs: 2_000,
  old: [{ operation: "debit", status: 200 }],
  lost: 0,
  discrepancies: [],
};

test("an upgrade that nobody noticed has no failures", () => {
  expect(findFailures(QUIET)).toEqual([]);
});

test.each<[string, Partial<UpgradeReport>]>([
  ["a failed credit", { failed: [{ phase: "both", status: 503, code: null, count: 1 }] }],
  ["a refusal by the old server", { old: [{ operation: "debit", status: 500 }] }],
  ["a lost credit", { lost: 1 }],
  ["a long wait", { locks: { ...QUIET.locks, longestWait: { ms: 1_001, query: "" } } }],
  [
    "a long lock",
    { locks: { ...QUIET.locks, held: [{ table: "cards", mode: "ShareLock", ms: 1_001 }] } },
  ],
  ["unbalanced books", { discrepancies: [{ integratorId: "i", rule: "r", about: "a" }] }],
])("%s is a failure", (_name, noticed) => {
  expect(findFailures({ ...QUIET, ...noticed })).toHaveLength(1);
});
