import { globSync } from "node:fs";
import path from "node:path";
import { ROOT } from "#db/root.ts";

/**
 * The files that decide about money and about who may spend it: their own tests notice every mutant in them, except those in
 * `accepted.ts`.
 */
export const TARGETS: readonly string[] = [
  "lib/cards/freezes.ts",
  "lib/funds/sweep.ts",
  "lib/ledger/decide.ts",
  "lib/purchases/internal/clearing.ts",
  "lib/purchases/posted-as.ts",
  "lib/transactions/decline-rules.ts",
];

/** Files whose tests are in another room: what they write is seen in the balances that others move. */
const TESTED_BY: Readonly<Record<string, readonly string[]>> = {
  "lib/ledger/post.ts": [
    "lib/ledger/**/*.test.ts",
    "lib/cards/spending-controls.test.ts",
    "lib/clock/idle-freezes.test.ts",
    "lib/funds/funds.test.ts",
    "lib/purchases/authorizations.test.ts",
    "lib/purchases/spending-limits.test.ts",
  ],
};

/**
 * The tests that look for the mutants of a file: those in its room that begin with its name, wherever in the room it
 * is, or all of its room.
 */
export function listTests(file: string): readonly string[] {
  const room = file.split("/").slice(0, 2).join("/");
  const own = `${room}/**/${path.basename(file, ".ts")}*.test.ts`;
  return (
    TESTED_BY[file] ?? (globSync(own, { cwd: ROOT }).length > 0 ? [own] : [`${room}/**/*.test.ts`])
  );
}
