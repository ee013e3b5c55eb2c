import { randomUUID } from "node:crypto";
import type { ParseArgsConfig } from "node:util";
import type { RequestOrigin } from "#lib/base/context.ts";
import { withInstallation } from "./installation.ts";
import type { Environment, Installation } from "./installation.ts";

/** The arguments of a command: its options by name, and `id`, its positional argument. */
export interface Input {
  id: string;
  options: Readonly<Record<string, string>>;
}

/** The result of a command, for people and for programs, and whether everything is in order. */
export interface Result {
  text: string;
  json: unknown;
  ok?: boolean;
}

/** One command, declared once: its help and its parsing derive from this. */
export interface Command {
  words: readonly string[];
  summary: string;
  /** Whether it takes an id. */
  takesId?: boolean;
  options: Readonly<Record<string, Option>>;
  run: (environment: Environment, input: Input) => Promise<Result>;
}

interface Option {
  about: string;
  /** The default value; undefined when the option is required. */
  fallback?: string;
  /** A flag takes no value. If it is given, its value is "yes". */
  isFlag?: true;
}

const NAME_WIDTH = 26;

/** The line of an option in a command's help. */
export function describeOption(name: string, { about, fallback }: Option): string {
  const note = fallback === undefined ? " (required)" : fallback && ` (${fallback})`;
  return `  ${`--${name}`.padEnd(NAME_WIDTH)}${about}${note}`;
}

/** Commands have no request; a unique origin distinguishes each in audit rows and events. */
export function newOrigin(): RequestOrigin {
  return { id: randomUUID(), address: null, agent: "floatdeck" };
}

/** Runs a command on the installation that the environment names. It fails when that cannot be opened. */
export function onInstallation(
  work: (installation: Installation, input: Input) => Promise<Result>,
): Command["run"] {
  return (environment, input) =>
    withInstallation(environment, (installation) => work(installation, input));
}

/** The command's options for `node:util`. */
export function toParseOptions({ options }: Command): NonNullable<ParseArgsConfig["options"]> {
  return Object.fromEntries(
    Object.entries(options).map(([name, { isFlag }]) => [
      name,
      { type: isFlag ? "boolean" : "string" },
    ]),
  );
}
