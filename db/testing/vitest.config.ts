import path from "node:path";
import { defineConfig } from "vitest/config";

const here = import.meta.dirname;

export default defineConfig({
  root: path.join(here, "../.."),
  test: {
    include: ["{app,bench,lib,db,bin}/**/*.test.ts"],
    globalSetup: [path.join(here, "global-setup.ts")],
    setupFiles: [path.join(here, "each-file.ts")],
    env: { FLOATDECK_SECRET: "a secret for nothing but this test run" },
    pool: "forks",
    maxWorkers: 2,
    testTimeout: 30_000,
    hookTimeout: 60_000,
  },
});
