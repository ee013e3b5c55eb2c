import { expect, test } from "vitest";
import { findGrowth } from "./growth.ts";
import type { Growth } from "./growth.ts";

const MIB = 2 ** 20;

/** A run whose months left these rows in the table, with a MiB for every thousand. */
function toGrowth(table: string, rows: readonly number[], requests = rows.map(() => 1)): Growth {
  const months = rows.map((count, index) => ({
    sizes: new Map([[table, { rows: count, bytes: count * (MIB / 1_000) }]]),
    requests: requests[index] ?? 1,
  }));
  return { first: new Map(), full: months, leftOver: [], last: months.at(-1)?.sizes ?? new Map() };
}

test("a table whose rows expire and that has more of them every month is found", () => {
  expect(findGrowth(toGrowth("api_log", [10_000, 20_000, 30_000, 40_000]))).toEqual([
    "api_log grew to 40000 rows",
    "api_log grew to 40.0 MiB",
  ]);
});

test("one that has as many every month is not, nor one that had more requests to keep", () => {
  expect(findGrowth(toGrowth("api_log", [10_000, 11_000, 9_000, 12_000]))).toEqual([]);
  expect(findGrowth(toGrowth("api_log", [10_000, 10_000, 40_000], [1, 1, 4]))).toEqual([]);
});

test("one that keeps rows longer than a month may have those of two", () => {
  const rows = [5_300, 5_800, 5_600, 11_400, 9_600, 15_200];
  const requests = [10, 10, 10, 10, 16, 10];
  expect(findGrowth(toGrowth("api_log", rows, requests))).toEqual([]);
  expect(findGrowth(toGrowth("idempotent_requests", rows, requests))).toContain(
    "idempotent_requests grew to 15200 rows",
  );
});

test("tables that are kept may grow", () => {
  expect(findGrowth(toGrowth("events", [10_000, 20_000, 30_000, 40_000]))).toEqual([]);
});

test("heartbeats of processes that have ended are found", () => {
  expect(findGrowth(toGrowth("processes", [5, 5, 200]))).toEqual([
    "processes has 200 rows instead of at most 15",
  ]);
});

test("rows that expired and are still there are reported", () => {
  const leftOver = ["api_log has 3 rows older than 30 days"];
  expect(findGrowth({ ...toGrowth("api_log", [1, 1, 1]), leftOver })).toEqual(leftOver);
});
