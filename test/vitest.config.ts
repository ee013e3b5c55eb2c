import { globSync, readFileSync } from "node:fs";
import path from "node:path";
import { defineConfig } from "vitest/config";
import { findTemporaryFolder } from "./run/temporary-folder.ts";

// For the databases, which are started here, for the tests, and for all programs that they start.
process.env["TMPDIR"] = findTemporaryFolder();

const here = import.meta.dirname;
const root = path.join(here, "..");

/** Each project has a PostgreSQL of its own. */
const globalSetup = [path.join(here, "run/global-setup.ts")];

/**
 * Files that write very many rows in one transaction. They have a PostgreSQL of their own: events of other files
 * would not be listed until those transactions end.
 */
const BULK = [
  "bench/kept-plans.test.ts",
  "lib/cards/list-plans.test.ts",
  "lib/funds/float-plans.test.ts",
  "lib/ledger/check-plans.test.ts",
  "lib/record/audit-plans.test.ts",
];

/** Counts what waiting for the feed reads, too: nothing else may write to its PostgreSQL. */
const UNDISTURBED = ["lib/operations/plans.test.ts"];

/**
 * Files that need a process of their own: those of `bin`, which test whole processes, those that replace or reload modules, and
 * those whose subject is what a process remembers. All others share one process per worker, whose modules are loaded,
 * compiled, and warm.
 */
const ALONE = [
  "{bench,bin}/**/*.test.ts",
  ...globSync("{app,db,lib,test}/**/*.test.ts", { cwd: root }).filter((file) =>
    /\bvi\.(?:mock|resetModules)\(/u.test(readFileSync(path.join(root, file), "utf8")),
  ),
  // Ends all waits of its process, and no process takes that back.
  "lib/webhooks/event-wait.test.ts",
  // Counts what one process has prepared.
  "db/prepared.test.ts",
  // Turns the clock back for the throttles of the process.
  "lib/operator/disk-watch.test.ts",
];

// lib/operations/declared-refusals.test.ts runs all cases.
const CASES = "**/*.cases.test.ts";

export default defineConfig({
  root,
  test: {
    pool: "forks",
    maxWorkers: 2,
    // drizzle-orm is bundled once: Node reads its long package.json again for each of its files, in every test file.
    deps: {
      optimizer: {
        ssr: {
          enabled: true,
          include: [
            "drizzle-orm",
            "drizzle-orm/pg-core",
            "drizzle-orm/postgres-js",
            "drizzle-orm/migrator",
          ],
        },
      },
    },
    projects: [
      {
        extends: true,
        test: {
          name: "shared",
          include: ["{app,db,lib,test}/**/*.test.ts"],
          exclude: [...ALONE, ...BULK, ...UNDISTURBED, CASES],
          isolate: false,
          globalSetup,
        },
      },
      { extends: true, test: { name: "alone", include: ALONE, exclude: BULK, globalSetup } },
      { extends: true, test: { name: "bulk", include: BULK, globalSetup } },
      { extends: true, test: { name: "undisturbed", include: UNDISTURBED, globalSetup } },
    ],
    setupFiles: [path.join(here, "run/each-file.ts")],
    env: {
      FLOATDECK_SECRET: "a secret for nothing but this test run",
      // So that nothing but a hang exceeds a limit. A test of a limit sets it small (`withTimeLimits`).
      TIME_LIMIT_FACTOR: "5",
    },
    // These timeouts only end tests that hang; they are long because the machine may be busy.
    testTimeout: 120_000,
    hookTimeout: 180_000,
    expect: { poll: { timeout: 30_000 } },
  },
});
