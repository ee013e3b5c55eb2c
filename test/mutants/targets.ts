import { globSync } from "node:fs";
import { ROOT } from "#db/root.ts";

/**
 * The files that decide about money and about who may spend it: their own tests notice every mutant in them, except those in
 * `accepted.ts`.
 */
export const TARGETS: readonly string[] = [
  "lib/cards/freezes.ts",
  "lib/ledger/decide.ts",
  "lib/purchases/posted-as.ts",
  "lib/transactions/decline-rules.ts",
];

/** The tests that look for the mutants of a file: those beside it that begin with its name, or all of its room. */
export function listTests(file: string): readonly string[] {
  const own = `${file.replace(/\.ts$/u, "")}*.test.ts`;
  const room = `${file.split("/").slice(0, 2).join("/")}/**/*.test.ts`;
  return globSync(own, { cwd: ROOT }).length > 0 ? [own] : [room];
}
