import path from "node:path";
import { defineConfig } from "vitest/config";

/** One at a time: each of these takes the whole machine for itself. */
export default defineConfig({
  root: path.join(import.meta.dirname, "../../.."),
  test: {
    include: ["db/testing/faults/*.fault.ts"],
    env: { FLOATDECK_SECRET: "a secret for nothing but this test run" },
    pool: "forks",
    maxWorkers: 1,
    fileParallelism: false,
    testTimeout: 300_000,
    hookTimeout: 180_000,
  },
});
