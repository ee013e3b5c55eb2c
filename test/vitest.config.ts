import path from "node:path";
import { defineConfig } from "vitest/config";
import { findTemporaryFolder } from "./run/temporary-folder.ts";

// For the databases, which are started here, for the tests, and for all programs that they start.
process.env["TMPDIR"] = findTemporaryFolder();

const here = import.meta.dirname;

/** Each project has a PostgreSQL of its own. */
const globalSetup = [path.join(here, "run/global-setup.ts")];

/**
 * Files that write very many rows in one transaction. They have a PostgreSQL of their own, because an event is listed
 * only once no older transaction of its PostgreSQL server can precede it: other files would wait for theirs.
 */
const BULK = [
  "bench/kept-plans.test.ts",
  "lib/api/plans.test.ts",
  "lib/cards/list-plans.test.ts",
  "lib/funds/float-plans.test.ts",
  "lib/ledger/check-plans.test.ts",
  "lib/record/audit-plans.test.ts",
];

export default defineConfig({
  root: path.join(here, ".."),
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
          name: "all",
          include: ["{app,bench,bin,db,lib,test}/**/*.test.ts"],
          // lib/api/declared-refusals.test.ts runs all cases.
          exclude: [...BULK, "**/*.cases.test.ts"],
          globalSetup,
        },
      },
      { extends: true, test: { name: "bulk", include: BULK, globalSetup } },
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
