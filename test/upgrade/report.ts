import type { LockReport } from "./lock-watch.ts";
import type { Discrepancy } from "#lib/ledger/verify.ts";

/** What clients and the database saw of an upgrade. */
export interface UpgradeReport {
  rows: { table: string; rows: number }[];
  /** How long the new server took until it was ready, migrations included. */
  readyMs: number;
  locks: LockReport;
  requests: number;
  /** Answers after which a program repeated its request, by phase, each with how often; status 0 for none at all. */
  failed: { phase: string; status: number; code: string | null; count: number }[];
  /** Until the final answer. */
  slowestMs: number;
  /** The broken guarantees; none when all of them held. */
  violations: string[];
  discrepancies: Discrepancy[];
}

/** How long an upgrade may keep others from writing. */
const LOCK_MAX_MS = 1_000;
const SHOWN_MAX = 5;

/** What must not happen during an upgrade, and did. */
export function findFailures(report: UpgradeReport): string[] {
  const { locks, failed, violations, discrepancies } = report;
  return [
    ...failed.map(
      ({ phase, status, code, count }) =>
        `${phase}: ${count} requests were answered ${status} ${code ?? ""}`,
    ),
    ...locks.held
      .filter(({ ms }) => ms > LOCK_MAX_MS)
      .map(({ table, mode, ms }) => `${table} was held in ${mode} for ${Math.round(ms)} ms`),
    ...(locks.longestWait.ms > LOCK_MAX_MS
      ? [`a session waited ${Math.round(locks.longestWait.ms)} ms: ${locks.longestWait.query}`]
      : []),
    ...violations,
    ...discrepancies.map(({ rule, about }) => `the books: ${rule} (${about})`),
  ];
}

export function describeUpgrade(report: UpgradeReport): string[] {
  const { rows, readyMs, locks, requests, slowestMs } = report;
  const [held] = locks.held;
  return [
    rows.map(({ table, rows: count }) => `${count} ${table}`).join(", "),
    `the new server was ready after ${(readyMs / 1_000).toFixed(1)} s`,
    `${requests} requests, the slowest in ${Math.round(slowestMs)} ms`,
    `longest lock that keeps others from writing: ${Math.round(held?.ms ?? 0)} ms on ${held?.table ?? "nothing"}`,
    `longest wait for a lock: ${Math.round(locks.longestWait.ms)} ms (${locks.longestWait.query})`,
    ...locks.statements
      .slice(0, SHOWN_MAX)
      .map(({ ms, query }) => `${(ms / 1_000).toFixed(1)} s: ${query.replaceAll(/\s+/gu, " ")}`),
  ];
}
