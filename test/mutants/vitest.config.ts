import path from "node:path";
import { defineConfig } from "vitest/config";
import unit from "../vitest.config.ts";

/** Names the test files that look for a mutant, separated by semicolons. `bin/test-mutants.ts` sets it. */
export const MUTANT_TESTS = "MUTANT_TESTS";

const { projects: _projects, ...shared } = unit.test ?? {};

/** The unit tests' settings, in a single project: Stryker runs no other. */
export default defineConfig({
  ...unit,
  test: {
    ...shared,
    name: "mutants",
    include: process.env[MUTANT_TESTS]?.split(";") ?? [],
    // They measure statements, which a mutant of a decision does not change, and take as long as all others.
    exclude: ["**/*-plans.test.ts", "**/*-cost.test.ts", "**/*-bytes.test.ts"],
    isolate: false,
    globalSetup: path.join(import.meta.dirname, "../run/global-setup.ts"),
  },
});
