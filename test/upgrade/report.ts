import type { LockReport } from "./lock-watch.ts";
import type { Discrepancy } from "#lib/ledger/verify.ts";

/** What clients and the database saw of an upgrade. */
export interface UpgradeReport {
  rows: { table: string; rows: number }[];
  /** How long the new server took until it was ready, migrations included. */
  readyMs: number;
  locks: LockReport;
  credits: number;
  /** Responses other than 200, by phase, each with how often. 503 asks for a repeat with the same key. */
  failed: { phase: string; status: number; code: string | null; count: number }[];
  slowestMs: number;
  /** What the old server answered to other operations while the schema was the new one already. */
  old: { operation: string; status: number }[];
  /** Acknowledged credits that do not exist exactly once. */
  lost: number;
  discrepancies: Discrepancy[];
}

/** How long an upgrade may keep others from writing. */
const LOCK_MAX_MS = 1_000;
const SHOWN_MAX = 5;

/** What must not happen during an upgrade, and did. */
export function findFailures(report: UpgradeReport): string[] {
  const { locks, failed, old, lost, discrepancies } = report;
  return [
    ...failed.map(
      ({ phase, status, code, count }) =>
        `${phase}: ${count} credits were answered ${status} ${code ?? ""}`,
    ),
    ...old
      .filter(({ status }) => status >= 300)
      .map(
        ({ operation, status }) => `the old server answered ${status} when asked to ${operation}`,
      ),
    ...locks.held
      .filter(({ ms }) => ms > LOCK_MAX_MS)
      .map(({ table, mode, ms }) => `${table} was held in ${mode} for ${Math.round(ms)} ms`),
    ...(locks.longestWait.ms > LOCK_MAX_MS
      ? [`a session waited ${Math.round(locks.longestWait.ms)} ms: ${locks.longestWait.query}`]
      : []),
    ...(lost > 0 ? [`${lost} acknowledged credits are not there once`] : []),
    ...discrepancies.map(({ rule, about }) => `the books: ${rule} (${about})`),
  ];
}

export function describeUpgrade(report: UpgradeReport): string[] {
  const { rows, readyMs, locks, credits, slowestMs, old } = report;
  const [held] = locks.held;
  return [
    rows.map(({ table, rows: count }) => `${count} ${table}`).join(", "),
    `the new server was ready after ${(readyMs / 1_000).toFixed(1)} s`,
    `${credits} credits, the slowest in ${Math.round(slowestMs)} ms`,
    `longest lock that keeps others from writing: ${Math.round(held?.ms ?? 0)} ms on ${held?.table ?? "nothing"}`,
    `longest wait for a lock: ${Math.round(locks.longestWait.ms)} ms (${locks.longestWait.query})`,
    `the old server on the new schema: ${old.map(({ operation, status }) => `${operation} ${status}`).join(", ")}`,
    ...locks.statements
      .slice(0, SHOWN_MAX)
      .map(({ ms, query }) => `${(ms / 1_000).toFixed(1)} s: ${query.replaceAll(/\s+/gu, " ")}`),
  ];
}
