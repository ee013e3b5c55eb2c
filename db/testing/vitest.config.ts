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
    // These timeouts only end tests that hang; they are long because the machine may be busy.
    testTimeout: 120_000,
    hookTimeout: 180_000,
    expect: { poll: { timeout: 30_000 } },
  },
});
