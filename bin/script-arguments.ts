import { parseArgs } from "node:util";
import type { ParseArgsConfig } from "node:util";
import { describeOption } from "./command.ts";

/** The arguments of a script of the repository, declared once: its help and its parsing derive from this. */
interface Script {
  /** What is typed, such as `npm run bench -- [options]`. */
  usage: string;
  summary: string;
  allowPositionals?: boolean;
  options: Record<string, ScriptOption>;
}

type ScriptOption = NonNullable<ParseArgsConfig["options"]>[string] & { about: string };

/** The text to print, and the exit code, if the script itself does not run. */
interface Refusal {
  code: number;
  text: string;
}

/** Reads the arguments of this process. On `--help` or an error, prints the text and ends the process. */
export function readArguments<T extends Script>(script: T) {
  const read = parseScript(script, process.argv.slice(2));
  if ("code" in read) {
    (read.code === 0 ? process.stdout : process.stderr).write(read.text);
    process.exit(read.code);
  }
  return read;
}

/** @returns the values and the other arguments. Otherwise, the help with code 0, or the error with code 2. */
export function parseScript<T extends Script>(script: T, args: readonly string[]) {
  if (args.includes("--help")) {
    return { code: 0, text: describe(script) } satisfies Refusal;
  }
  try {
    return parseArgs({ ...script, args: [...args] });
  } catch (error) {
    const sentence = error instanceof Error ? error.message : String(error);
    return { code: 2, text: `floatdeck: ${sentence}; see --help.\n` } satisfies Refusal;
  }
}

function describe({ usage, summary, options }: Script): string {
  const lines = Object.entries(options).map(([name, { about, default: fallback }]) =>
    describeOption(name, { about, fallback: typeof fallback === "string" ? fallback : "" }),
  );
  return [`Usage: ${usage}`, "", `${summary}.`, "", ...lines, ""].join("\n");
}
