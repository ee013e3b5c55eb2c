import type { Finding, NamedFinding } from "./finding.ts";

/** The gravest findings come last, where a terminal shows them. */
const ORDER: readonly Finding["status"][] = ["ok", "skipped", "warning", "problem"];
const STATUS_WIDTH = 9;
const NAME_WIDTH = 15;

/** Lists findings for a terminal, and counts those that are not in order. */
export function formatFindings(checks: readonly NamedFinding[]): string {
  const ordered = checks.toSorted((a, b) => ORDER.indexOf(a.status) - ORDER.indexOf(b.status));
  const lines = ordered.flatMap(({ name, status, detail, action }) => [
    `${status.padEnd(STATUS_WIDTH)}${name.padEnd(NAME_WIDTH)}${detail}`,
    ...(action === null ? [] : [`${" ".repeat(STATUS_WIDTH + NAME_WIDTH)}${action}`]),
  ]);
  return [...lines, "", toSummary(checks)].join("\n");
}

function toSummary(checks: readonly NamedFinding[]): string {
  const count = (wanted: Finding["status"]) =>
    checks.filter(({ status }) => status === wanted).length;
  const counted = [
    [count("problem"), "problem"],
    [count("warning"), "warning"],
    [count("skipped"), "check not made"],
  ] as const;
  const said = counted.filter(([number]) => number > 0);
  return said.length === 0
    ? "Everything is in order."
    : `${said.map(([number, noun]) => `${number} ${toPlural(noun, number)}`).join(", ")}.`;
}

function toPlural(noun: string, number: number): string {
  return number === 1 ? noun : noun.replace(/^\w+/u, (word) => `${word}s`);
}
