import { existsSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { Stryker } from "@stryker-mutator/core";
import { ROOT } from "#db/root.ts";
import { ACCEPTED } from "#test/mutants/accepted.ts";
import { TARGETS, listTests } from "#test/mutants/targets.ts";
import { MUTANT_TESTS } from "#test/mutants/vitest.config.ts";
import { makeCopies, removeAbandonedCopies } from "./mutant-copies.ts";
import { findSurvivors } from "./surviving-mutants.ts";
import type { Mutant } from "./surviving-mutants.ts";
import { say } from "./steps.ts";

/**
 * Changes one expression after another in a copy of the checkout, and names each change that no test notices. Arguments
 * are files; the default is the files in which no such change may remain.
 */
const named = process.argv.slice(2);
process.chdir(ROOT);
const unknown = named.find((file) => !file.endsWith(".ts") || !existsSync(file));
if (unknown !== undefined) {
  say(`${unknown} must be a file of the checkout, such as lib/funds/sweep.ts.`);
  process.exit(2);
}
removeAbandonedCopies(tmpdir());
let left = 0;
for (const file of named.length > 0 ? named : TARGETS) {
  const mutants = await plant(file);
  const survivors = findSurvivors({ file, source: readFileSync(file, "utf8") }, mutants, ACCEPTED);
  for (const line of survivors) {
    say(`SURVIVED: ${line}`);
  }
  say(`${file}: ${mutants.length} mutants, ${survivors.length} to look at`);
  left += survivors.length;
}
process.exitCode = left === 0 ? 0 : 1;

/** Runs the tests of a file once for each of its mutants, until one fails. */
async function plant(file: string): Promise<readonly Mutant[]> {
  // An environment variable of this process, because Stryker passes nothing else to its workers.
  process.env[MUTANT_TESTS] = listTests(file).join(";");
  const copies = makeCopies(tmpdir());
  try {
    return await new Stryker({
      mutate: [file],
      testRunner: "vitest",
      plugins: ["@stryker-mutator/vitest-runner"],
      vitest: { configFile: "test/mutants/vitest.config.ts", related: false },
      // Coverage per test would count code run by hooks as run before all tests, and most tests use hooks for accounts.
      coverageAnalysis: "all",
      // Each worker has a PostgreSQL of its own, and a connection of a test may wait for another's.
      concurrency: 1,
      timeoutMS: 20_000,
      // All tests of a room may take longer than the usual five where the machine is busy.
      dryRunTimeoutMinutes: 30,
      // TypeScript 7 has no interface for reading it, and no path in it leaves the copy.
      tsconfigFile: "",
      tempDirName: copies,
      ignorePatterns: [".next", ".data", "dist*"],
      reporters: ["progress-append-only"],
      allowConsoleColors: false,
    }).runMutationTest();
  } finally {
    rmSync(copies, { recursive: true, force: true });
  }
}
