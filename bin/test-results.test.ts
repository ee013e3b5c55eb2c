import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, expect, test } from "vitest";
import { ROOT } from "#db/root.ts";
import { readResults } from "./test-results.ts";
import { findFailedSkips } from "./test-skips.ts";

const folder = mkdtempSync(path.join(tmpdir(), "results-"));
afterAll(() => rmSync(folder, { recursive: true }));

function read(report: object) {
  const file = path.join(folder, "report.json");
  writeFileSync(file, JSON.stringify(report));
  return readResults(file);
}

test("a run without a report failed", () => {
  expect(readResults(path.join(folder, "none.json"))).toEqual({
    passed: 0,
    failed: ["The tests ended without a report."],
    skipped: [],
  });
});

test("each failed unit test is named with the first line of its reason, and so is a file that did not load", () => {
  const tests = [
    { status: "passed", fullName: "adds" },
    { status: "skipped", fullName: "rests" },
    {
      status: "failed",
      fullName: "money adds up",
      failureMessages: ["\u001b[31mexpected 1\u001b[39m\n  at"],
    },
  ];
  const testResults = [
    {
      name: path.join(ROOT, "lib/a.test.ts"),
      status: "failed",
      message: "",
      assertionResults: tests,
    },
    {
      name: path.join(ROOT, "lib/b.test.ts"),
      status: "failed",
      message: "No such module",
      assertionResults: [],
    },
  ];
  expect(read({ testResults })).toEqual({
    passed: 1,
    failed: [
      "lib/a.test.ts: money adds up (expected 1)",
      "lib/b.test.ts: the file (No such module)",
    ],
    skipped: ["lib/a.test.ts: rests"],
  });
});

test("a failure is named with the line that failed, and with the seed of a property", () => {
  const failureMessages = [
    'Error: Property failed after 1 tests\n{ seed: 5, path: "0:1" }\nCounterexample: [6]\n' +
      `    at buildError (${ROOT}/node_modules/fast-check/a.js:7:1)\n    at ${ROOT}/lib/a.test.ts:12:92`,
  ];
  const failed = { status: "failed", fullName: "money adds up", failureMessages };
  const file = { name: path.join(ROOT, "lib/a.test.ts"), status: "failed", message: "" };
  expect(read({ testResults: [{ ...file, assertionResults: [failed] }] }).failed).toEqual([
    'lib/a.test.ts: money adds up (Error: Property failed after 1 tests, { seed: 5, path: "0:1" }, line 12)',
  ]);
});

test("a file whose hook failed is named, although each of its tests passed", () => {
  const tests = [{ status: "passed", fullName: "adds" }];
  const file = {
    name: path.join(ROOT, "lib/a.test.ts"),
    status: "failed",
    message: "books",
    assertionResults: tests,
  };
  expect(read({ testResults: [file] })).toEqual({
    passed: 1,
    failed: ["lib/a.test.ts: the file (books)"],
    skipped: [],
  });
});

test("each failed browser test is named, however deep it is nested, and so is an error of the run", () => {
  const passed = {
    file: "a.spec.ts",
    title: "opens",
    ok: true,
    tests: [{ status: "expected", results: [{}] }],
  };
  const results = [{ error: { message: "Timed out" } }];
  const failed = {
    file: "a.spec.ts",
    title: "closes",
    ok: false,
    tests: [{ status: "unexpected", results }],
  };
  const skipped = {
    file: "a.spec.ts",
    title: "rests",
    ok: true,
    tests: [{ status: "skipped", results: [] }],
  };
  const suites = [{ specs: [passed, skipped], suites: [{ specs: [failed] }] }];
  expect(read({ suites, errors: [{ message: "No server" }] })).toEqual({
    passed: 1,
    failed: ["e2e/a.spec.ts: closes (Timed out)", "e2e: the run (No server)"],
    skipped: ["e2e/a.spec.ts: rests"],
  });
});

test("a skipped test has failed where every package is installed, unless it is an exception", () => {
  const exception = "test/faults/pgbouncer.fault.ts: behind PgBouncer a killed one loses nothing";
  const skipped = ["lib/a.test.ts: rests", exception];
  expect(findFailedSkips({ skipped }, "fail")).toEqual([
    "lib/a.test.ts: rests (skipped, and it is no exception in bin/test-skips.ts)",
  ]);
  expect(findFailedSkips({ skipped }, "")).toEqual([]);
});
