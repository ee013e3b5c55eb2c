import { parseArgs } from "node:util";
import { isDomainError } from "#lib/base/errors.ts";
import { describeOption, toParseOptions } from "./command.ts";
import type { Command, Input } from "./command.ts";
import { COMMANDS } from "./floatdeck-commands.ts";
import type { Environment } from "./installation.ts";

/** The input is not a command, or is incomplete. */
class UsageError extends Error {}

const NAME_WIDTH = 26;

/** The exit code and output of a command. */
export interface CommandExit {
  code: number;
  out: string;
  err: string;
}

/**
 * Runs one operator command line. The exit code is 0 on success, 1 when the command fails, and 2 when it was
 * not understood.
 * @param environment identifies the installation, as for the server.
 */
export async function runCommand(
  args: readonly string[],
  environment: Environment,
): Promise<CommandExit> {
  const named = COMMANDS.filter((command) => beginsWith(args, command.words));
  const [command] = named.toSorted((a, b) => b.words.length - a.words.length);
  const asJson = args.includes("--json");
  try {
    if (!command || args.includes("--help")) {
      return { code: 0, out: command ? describe(command) : listCommands(args), err: "" };
    }
    const input = parse(command, args.slice(command.words.length));
    const result = await command.run(environment, input);
    const out = `${asJson ? JSON.stringify(result.json, null, 2) : result.text}\n`;
    return { code: result.ok === false ? 1 : 0, out, err: "" };
  } catch (error) {
    const sentences = toSentences(error);
    const err = asJson
      ? `${JSON.stringify({ error: sentences.join(" ") })}\n`
      : sentences.map((sentence) => `floatdeck: ${sentence}\n`).join("");
    return { code: error instanceof UsageError ? 2 : 1, out: "", err };
  }
}

function beginsWith(args: readonly string[], words: readonly string[]): boolean {
  return words.every((word, index) => args[index] === word);
}

function parse(command: Command, args: readonly string[]): Input {
  const name = command.words.join(" ");
  const { values, positionals } = readArgs(command, args);
  const expected = command.takesId ? 1 : 0;
  if (positionals.length !== expected) {
    throw new UsageError(`"${name}" takes ${expected ? "one id" : "no argument"}; see --help.`);
  }
  const options = Object.entries(command.options).map(
    ([option, { fallback }]) => [option, values[option] ?? fallback ?? ""] as const,
  );
  const missing = options.filter(
    ([option, value]) => value === "" && command.options[option]?.fallback === undefined,
  );
  if (missing.length > 0) {
    const named = missing.map(([option]) => `--${option}`).join(", ");
    throw new UsageError(`"${name}" needs ${named}; see --help.`);
  }
  return { id: positionals[0]?.toLowerCase() ?? "", options: Object.fromEntries(options) };
}

function readArgs(command: Command, args: readonly string[]) {
  try {
    const { values, positionals } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: { ...toParseOptions(command), json: { type: "boolean" } },
    });
    const texts: Record<string, string | undefined> = {};
    for (const [name, value] of Object.entries<string | boolean | undefined>(values)) {
      texts[name] = typeof value === "boolean" ? toFlag(value) : value;
    }
    return { values: texts, positionals };
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error), { cause: error });
  }
}

function toFlag(given: boolean): string {
  return given ? "yes" : "";
}

/** The commands that start with the typed words. */
function listCommands(args: readonly string[]): string {
  const words = args.filter((word) => !word.startsWith("-"));
  const near = COMMANDS.filter((each) => beginsWith(each.words, words));
  if (near.length === 0) {
    throw new UsageError(`Unknown command "${words.join(" ")}"; see --help.`);
  }
  const lines = near.map((each) => `  ${each.words.join(" ").padEnd(NAME_WIDTH)}${each.summary}`);
  return ["Usage: npm run floatdeck -- <command> [options]", "", ...lines, "", COMMON, ""].join(
    "\n",
  );
}

const COMMON =
  "Each command accepts --help, and --json for machine-readable output. The environment identifies the installation, as for npm start.";

function describe(command: Command): string {
  const name = command.words.join(" ");
  const options = Object.entries(command.options).map(([option, declared]) =>
    describeOption(option, declared),
  );
  return [
    `Usage: npm run floatdeck -- ${name}${command.takesId ? " <id>" : ""}${options.length > 0 ? " [options]" : ""}`,
    "",
    `${command.summary}.`,
    "",
    ...options,
    describeOption("json", { about: "answer programs", fallback: "" }),
    "",
  ].join("\n");
}

/** Names the members of a refused request by the options they came from. */
function toSentences(error: unknown): string[] {
  if (!isDomainError(error)) {
    return [error instanceof Error ? error.message : String(error)];
  }
  const named = Object.entries(error.errors ?? {}).map(
    ([member, sentences]) => `--${toOption(member)}: ${sentences.join(" ")}`,
  );
  return named.length > 0 ? named : [error.detail];
}

function toOption(member: string): string {
  return member.startsWith("float_currencies") ? "currency" : member.replaceAll("_", "-");
}
