import { parseArgs } from "node:util";
import type { ParseArgsConfig } from "node:util";
import { describeOption } from "./command.ts";

/** What a script of the repository takes, declared once: its help and its parsing derive from this. */
interface Script {
  /** What is typed, such as `npm run bench -- [options]`. */
  usage: string;
  summary: string;
  allowPositionals?: boolean;
  options: Record<string, ScriptOption>;
}

type ScriptOption = NonNullable<ParseArgsConfig["options"]>[string] & { about: string };

/** Where the exit code is not that of the script itself, what it prints. */
interface Refusal {
  code: number;
  text: string;
}

/** Reads the arguments of this process. Prints the help, or what is wrong with them, and ends the process, if so. */
export function readArguments<T extends Script>(script: T) {
  const read = parseScript(script, process.argv.slice(2));
  if ("code" in read) {
    (read.code === 0 ? process.stdout : process.stderr).write(read.text);
    process.exit(read.code);
  }
  return read;
}

/** @returns the values and the other arguments; or the help, with 0, or what is wrong, with 2. */
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
