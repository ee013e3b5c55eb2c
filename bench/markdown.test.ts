import { expect, test } from "vitest";
import { toMarkdown } from "./markdown.ts";
import type { Line } from "./line.ts";

const CONDITIONS = { mode: "full", at: "2026-01-31", machine: "2 × CPU", versions: "Node v24" };

test("cases with the same bound share a row, which shows the one nearest to the bound", () => {
  expect(
    toRows([
      line({ what: "list cards: large against small", value: "1.05" }),
      line({ what: "show a card: large against small", value: "1.17", spread: "0.93–1.26" }),
      line({ what: "freeze: rate, against before", bound: "≥ 0.95", value: "1.36" }),
      line({ what: "credit: rate, against before", bound: "≥ 0.95", value: "1.29" }),
    ]),
  ).toEqual([
    "| large against small, 2 cases, nearest: show a card | ≤ 1.3 | 1.17 (0.93–1.26) |",
    "| rate, against before, 2 cases, nearest: credit | ≥ 0.95 | 1.29 |",
  ]);
});

test("every missed bound has a row of its own", () => {
  expect(
    toRows([
      line({ what: "list cards: large against small", value: "1.40", reached: false }),
      line({ what: "show a card: large against small", value: "1.50", reached: false }),
      line({ what: "search: large against small", value: "1.10" }),
    ]),
  ).toEqual([
    "| list cards: large against small | ≤ 1.3 | **1.40, missed** |",
    "| show a card: large against small | ≤ 1.3 | **1.50, missed** |",
    "| search: large against small | ≤ 1.3 | 1.10 |",
  ]);
});

test("a ratio without a bound is only reported", () => {
  expect(toRows([line({ what: "credit", bound: "", value: "0.77", reached: null })])).toEqual([
    "| credit | none | 0.77 |",
  ]);
});

function line(differs: Partial<Line>): Line {
  return { what: "credit", bound: "≤ 1.3", value: "1.00", spread: "", reached: true, ...differs };
}

/** The rows of the report's table. */
function toRows(lines: readonly Line[]): string[] {
  return toMarkdown(CONDITIONS, lines)
    .split("\n")
    .filter((text) => text.startsWith("| "))
    .slice(2);
}
