import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { ROOT } from "#db/root.ts";
import { ACCEPTED as ALL_ACCEPTED } from "#test/mutants/accepted.ts";
import { TARGETS, listTests } from "#test/mutants/targets.ts";
import { findSurvivors } from "./surviving-mutants.ts";

const FILE = { file: "lib/a.ts", source: "const a = 1;\n  return a > b;\n" };
const MUTANT = { location: { start: { line: 2 } }, replacement: "a\n >= b" };
const ACCEPTED = {
  file: "lib/a.ts",
  line: "return a > b;",
  replacement: "a >= b",
  reason: "they are never equal",
};

test.each(["Survived", "NoCoverage", "Ignored"])(
  "a mutant whose status is %s is named with its line",
  (status) => {
    expect(findSurvivors(FILE, [{ ...MUTANT, status }], [])).toEqual([
      "lib/a.ts:2: return a > b; → a >= b",
    ]);
  },
);

test.each(["Killed", "Timeout"])("one whose status is %s is not", (status) => {
  expect(findSurvivors(FILE, [{ ...MUTANT, status }], [])).toEqual([]);
});

test("an accepted one is not named, unless it is of another file", () => {
  const mutants = [{ ...MUTANT, status: "Survived" }];
  expect(findSurvivors(FILE, mutants, [ACCEPTED])).toEqual([]);
  expect(findSurvivors(FILE, mutants, [{ ...ACCEPTED, file: "lib/b.ts" }])).toHaveLength(1);
});

test("an accepted one that a test notices is named, too", () => {
  expect(findSurvivors(FILE, [{ ...MUTANT, status: "Killed" }], [ACCEPTED])).toEqual([
    expect.stringContaining("a test notices it"),
  ]);
});

test("every accepted mutant is of a line that stands in one of the files of which none may be left", () => {
  for (const { file, line } of ALL_ACCEPTED) {
    expect(TARGETS).toContain(file);
    const lines = readFileSync(path.join(ROOT, file), "utf8").split("\n");
    expect(lines.map((each) => each.trim())).toContain(line);
  }
});

test("tests that begin with a file's name look for its mutants, and those of its room without one", () => {
  expect(listTests("lib/ledger/decide.ts")).toEqual(["lib/ledger/**/decide*.test.ts"]);
  expect(listTests("lib/purchases/internal/clearing.ts")).toEqual([
    "lib/purchases/**/clearing*.test.ts",
  ]);
  expect(listTests("lib/ledger/post.ts")).toContain("lib/funds/funds.test.ts");
  expect(listTests("lib/funds/cover.ts")).toEqual(["lib/funds/**/*.test.ts"]);
});
