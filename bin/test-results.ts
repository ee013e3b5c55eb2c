import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { stripVTControlCharacters } from "node:util";
import { ROOT } from "#db/root.ts";

/** What a test runner reported. */
export interface TestResults {
  passed: number;
  /** The failed tests: each one's file and name, and why it failed. */
  failed: readonly string[];
  /** The skipped tests: each one's file and name. */
  skipped: readonly string[];
}

/** The JSON report of vitest. */
interface UnitReport {
  testResults: readonly {
    name: string;
    status: string;
    message: string;
    assertionResults: readonly UnitTest[];
  }[];
}

interface UnitTest {
  status: string;
  fullName: string;
  failureMessages?: readonly string[] | null;
}

/** The JSON report of Playwright. */
interface BrowserReport {
  suites: readonly Suite[];
  errors: readonly { message?: string }[];
}

interface Suite {
  specs: readonly Spec[];
  suites?: readonly Suite[];
}

interface Spec {
  file: string;
  title: string;
  ok: boolean;
  tests: readonly {
    status: string;
    results: readonly { error?: { message?: string } }[];
  }[];
}

/** What vitest's report calls a test that did not run. */
const SKIPPED = new Set(["skipped", "pending", "todo"]);

/** Reads the JSON report of vitest or Playwright. A missing report counts as a failure. */
export function readResults(file: string): TestResults {
  if (!existsSync(file)) {
    return { passed: 0, failed: ["The tests ended without a report."], skipped: [] };
  }
  const report: UnitReport | BrowserReport = JSON.parse(readFileSync(file, "utf8"));
  return "testResults" in report ? toUnitResults(report) : toBrowserResults(report);
}

function toUnitResults({ testResults }: UnitReport): TestResults {
  const tests = testResults.flatMap((each) => each.assertionResults);
  return {
    passed: tests.filter(({ status }) => status === "passed").length,
    failed: testResults.flatMap(({ name, status, message, assertionResults }) => {
      const file = path.relative(ROOT, name);
      const failed = assertionResults.filter((each) => each.status === "failed");
      // A file fails without a failed test when it cannot be loaded, or in a hook.
      return status === "failed" && failed.length === 0
        ? [toLine(file, "the file", message)]
        : failed.map((each) => toLine(file, each.fullName, each.failureMessages?.[0]));
    }),
    skipped: testResults.flatMap(({ name, assertionResults }) =>
      assertionResults
        .filter(({ status }) => SKIPPED.has(status))
        .map(({ fullName }) => toLine(path.relative(ROOT, name), fullName)),
    ),
  };
}

function toBrowserResults({ suites, errors }: BrowserReport): TestResults {
  const specs = suites.flatMap(listSpecs);
  return {
    passed: specs.flatMap(({ tests }) => tests).filter(({ status }) => status === "expected")
      .length,
    failed: [
      ...specs
        .filter(({ ok }) => !ok)
        .map(({ file, title, tests }) => toLine(path.join("e2e", file), title, findError(tests))),
      ...errors.map(({ message }) => toLine("e2e", "the run", message)),
    ],
    skipped: specs
      .filter(({ tests }) => tests.some(({ status }) => status === "skipped"))
      .map(({ file, title }) => toLine(path.join("e2e", file), title)),
  };
}

function listSpecs({ specs, suites = [] }: Suite): readonly Spec[] {
  return [...specs, ...suites.flatMap(listSpecs)];
}

function findError(tests: Spec["tests"]): string | undefined {
  return tests.flatMap(({ results }) => results).find(({ error }) => error)?.error?.message;
}

/** Describes a failure with what it takes to reproduce it: the line that failed, and the seed of a property. */
function toLine(file: string, name: string, why = ""): string {
  const lines = stripVTControlCharacters(why).split("\n");
  const seed = lines.find((line) => line.startsWith("{ seed:"));
  const [, ...places] = why.split(`${file}:`);
  const number = places.map((place) => Number.parseInt(place, 10)).find(Number.isFinite);
  const reason = [lines[0], seed, number && `line ${number}`].filter(Boolean).join(", ");
  return `${file}: ${name}${reason && ` (${reason})`}`;
}
