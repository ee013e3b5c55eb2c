import path from "node:path";
import { defineConfig } from "vitest/config";
import { stretch } from "../run/calibration.ts";

const here = import.meta.dirname;

/** Files without a limit of time or memory of their own. Nothing but a hang exceeds a limit of the product in them. */
const UNTIMED = [
  "clock",
  "client",
  "commit",
  "contract",
  "erasure",
  "feed",
  "freeze",
  "full-disk",
  "group-commit",
  "money-model",
  "payday",
  "release",
  "restore",
  "ssrf",
  "start",
  "start-database",
].map((name) => `test/faults/${name}.fault.ts`);

/** Two untimed files at a time; after them the others, each of which needs the whole machine. */
export default defineConfig({
  root: path.join(here, "../.."),
  test: {
    globalSetup: [path.join(here, "global-setup.ts")],
    env: { FLOATDECK_SECRET: "a secret for nothing but this test run" },
    pool: "forks",
    testTimeout: stretch(300_000),
    hookTimeout: stretch(180_000),
    expect: { poll: { timeout: stretch(60_000) } },
    projects: [
      {
        extends: true,
        test: {
          name: "untimed",
          include: UNTIMED,
          env: { TIME_LIMIT_FACTOR: "5" },
          maxWorkers: 2,
          sequence: { groupOrder: 0 },
        },
      },
      {
        extends: true,
        test: {
          name: "timed",
          include: ["test/faults/*.fault.ts"],
          exclude: UNTIMED,
          maxWorkers: 1,
          fileParallelism: false,
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
});
