import path from "node:path";
import { defineConfig } from "vitest/config";

const here = import.meta.dirname;

/** One file at a time, because each needs the whole machine. */
export default defineConfig({
  root: path.join(here, "../../.."),
  test: {
    include: ["db/testing/faults/*.fault.ts"],
    globalSetup: [path.join(here, "global-setup.ts")],
    env: { FLOATDECK_SECRET: "a secret for nothing but this test run" },
    pool: "forks",
    maxWorkers: 1,
    fileParallelism: false,
    testTimeout: 300_000,
    hookTimeout: 180_000,
    expect: { poll: { timeout: 60_000 } },
  },
});
