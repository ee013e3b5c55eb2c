import type { Accepted } from "#test/mutants/accepted.ts";

/** The run's report on one mutant. Lines count from 1. */
export interface Mutant {
  status: string;
  location: { start: { line: number } };
  replacement: string;
}

/** Tests failed, or a mutant that never ended ran out of time. */
const FOUND = new Set(["Killed", "Timeout", "CompileError", "RuntimeError"]);

/**
 * In words, the mutants of a file that no test noticed, except accepted ones, and the accepted ones that are none
 * anymore.
 */
export function findSurvivors(
  { file, source }: { file: string; source: string },
  mutants: readonly Mutant[],
  accepted: readonly Accepted[],
): string[] {
  const lines = source.split("\n").map((line) => line.trim());
  const survived = mutants
    .filter(({ status }) => !FOUND.has(status))
    .map(({ location: { start }, replacement }) => ({
      number: start.line,
      line: lines[start.line - 1] ?? "",
      replacement: toOneLine(replacement),
    }));
  const ofFile = accepted.filter((each) => each.file === file);
  return [
    ...survived
      .filter((mutant) => !ofFile.some((each) => isSame(each, mutant)))
      .map(({ number, line, replacement }) => `${file}:${number}: ${line} → ${replacement}`),
    ...ofFile
      .filter((each) => !survived.some((mutant) => isSame(each, mutant)))
      .map(
        ({ line, replacement }) =>
          `${file}: ${line} → ${replacement} is in test/mutants/accepted.ts, and a test notices it`,
      ),
  ];
}

type Change = Pick<Accepted, "line" | "replacement">;

function isSame(a: Change, b: Change): boolean {
  return a.line === b.line && a.replacement === b.replacement;
}

function toOneLine(text: string): string {
  return text.replaceAll(/\s+/gu, " ").trim();
}
