import { existsSync, readFileSync } from "node:fs";
import type { Cost } from "#test/run/costs-reporter.ts";

/** The time that all files take on two quiet cores, and the budget of one file. */
const QUIET_MS = 400_000;
const BUDGET_MS = 20_000;
/** Chance never makes a file's share more than this many times as large. */
const CHANCE = 2;
const SHOWN = 10;

/** Reads what `CostsReporter` has written. */
export function readCosts(file: string): readonly Cost[] {
  return existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : [];
}

/** The slowest files, slowest first, in words. */
export function describeSlowest(costs: readonly Cost[]): string[] {
  return costs
    .toSorted((a, b) => b.ms - a.ms)
    .slice(0, SHOWN)
    .map(({ file, ms }) => `${toSeconds(ms).padStart(7)} s  ${file}`);
}

/**
 * The files that exceed their budget, in words. A busy machine slows all files alike, so a file is judged by its share of
 * a whole run.
 */
export function findOverBudget(costs: readonly Cost[]): string[] {
  const total = costs.reduce((sum, { ms }) => sum + ms, 0);
  return costs
    .map(({ file, ms }) => ({ file, ms: (ms / total) * QUIET_MS }))
    .filter(({ ms }) => ms > CHANCE * BUDGET_MS)
    .map(
      ({ file, ms }) =>
        `${file}: takes ${toSeconds(ms)} s of a quiet machine, more than twice its budget of ${BUDGET_MS / 1_000} s. Make it quicker`,
    );
}

function toSeconds(ms: number): string {
  return (ms / 1_000).toFixed(1);
}
