import { calculate, COLUMNS, toRow } from "./capacity.ts";
import type { Load } from "./capacity.ts";
import type { Command, Input, Result } from "./command.ts";

/** The command that calculates what a number of integrators takes. It needs no installation. */
export const CAPACITY: Command = {
  words: ["capacity"],
  summary:
    "Calculate servers, cores, RAM, and disk for a number of integrators, from docs/scaling.md",
  options: {
    integrators: { about: "how many, or several numbers separated by commas" },
    credits: { about: "credits and debits a second of each, at its peak", fallback: "1" },
    authorizations: { about: "authorizations a second of each, at its peak", fallback: "0" },
    lists: { about: "lists a second of each, at its peak", fallback: "2" },
    average: { about: "the average as a share of the peak, 0 to 1", fallback: "0.1" },
  },
  run: (_environment, input) => Promise.resolve(estimate(input)),
};

function estimate({ options }: Input): Result {
  const read = (name: string) => toNumber(name, options[name] ?? "");
  const average = read("average");
  if (average > 1) {
    throw new Error("--average must be a share of the peak, 0 to 1.");
  }
  const rest = {
    credits: read("credits"),
    authorizations: read("authorizations"),
    lists: read("lists"),
    average,
  };
  const loads: Load[] = (options["integrators"] ?? "")
    .split(",")
    .map((each) => ({ integrators: toNumber("integrators", each), ...rest }));
  return {
    text: toTable([[...COLUMNS], ...loads.map(toRow)]),
    json: loads.map((load) => ({ ...load, ...calculate(load) })),
  };
}

function toNumber(name: string, text: string): number {
  const value = Number(text);
  if (text.trim() === "" || !Number.isFinite(value) || value < 0) {
    throw new Error(`--${name} must be a number from 0, but is ${JSON.stringify(text)}.`);
  }
  return value;
}

function toTable(rows: readonly (readonly string[])[]): string {
  const widths = COLUMNS.map((_, at) => Math.max(...rows.map((row) => row[at]?.length ?? 0)));
  return rows
    .map((row) => row.map((cell, at) => cell.padStart(widths[at] ?? 0)).join("   "))
    .join("\n");
}
