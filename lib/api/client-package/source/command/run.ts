import { parseArgs } from "node:util";
import type { ClientOptions } from "../request.ts";
import type { Api } from "./api.ts";
import { CommandFailure, isConnectionError, isRefusal } from "./failure.ts";
import { listen } from "./listen.ts";
import { trigger } from "./trigger.ts";
import type { Trigger } from "#lib/events/event.ts";

/** The client of the server that this package came from. */
export interface Made {
  Floatdeck: new (options: ClientOptions) => unknown;
  baseUrl: string;
  /** How to make each event happen. */
  triggers: Readonly<Record<string, Trigger | null>>;
}

const USAGE = 2;

const OPTIONS = {
  "forward-to": { type: "string" },
  url: { type: "string" },
  key: { type: "string" },
  state: { type: "string", default: ".floatdeck-listen.json" },
  help: { type: "boolean", short: "h", default: false },
} as const;

const toHelp = ({
  baseUrl,
  triggers,
}: Made) => `floatdeck: receive and cause events while you build.

  floatdeck listen --forward-to <url>   Forwards every event to your webhook handler, signed.
  floatdeck trigger <event>             Makes an event happen in the sandbox.

Options
  --key <key>       Your API key. Default: the environment variable FLOATDECK_API_KEY.
  --url <url>       The server. Default: FLOATDECK_URL, or ${baseUrl}.
  --state <file>    Where listen keeps the signing secret and its position.
                    Default: .floatdeck-listen.json in this folder. Keep it out of version control.
  -h, --help        Shows this help.

Events
${toColumns(Object.keys(triggers))}

Exit codes
  0  done, or stopped by Ctrl-C
  1  failed; the reason is on standard error
  2  called the wrong way
`;

/** Runs the command. @returns the exit code. */
export async function run(made: Made, args: string[]): Promise<number> {
  const { Floatdeck, baseUrl, triggers } = made;
  try {
    const { values, positionals } = read(args);
    const [command, ...rest] = positionals;
    if (values.help || command === undefined) {
      process.stdout.write(toHelp(made));
      return values.help ? 0 : USAGE;
    }
    const url = values.url ?? process.env["FLOATDECK_URL"] ?? baseUrl;
    const apiKey = values.key ?? process.env["FLOATDECK_API_KEY"];
    if (!apiKey) {
      throw new CommandFailure("Pass your API key with --key, or in FLOATDECK_API_KEY.", USAGE);
    }
    // The class is made from the contract, so its type is known to the package's users only.
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    const api = new Floatdeck({ apiKey, baseUrl: url }) as Api;
    await perform(command, rest, { api, url, values, triggers });
    return 0;
  } catch (error) {
    return report(error);
  }
}

interface Environment {
  api: Api;
  url: string;
  values: { "forward-to"?: string; state: string };
  triggers: Made["triggers"];
}

async function perform(command: string, rest: string[], environment: Environment): Promise<void> {
  const { api, url, values, triggers } = environment;
  if (command === "listen") {
    requireCount(rest, 0, "listen takes options only.");
    const { "forward-to": target = "", state } = values;
    if (!/^https?:/iu.test(target) || !URL.canParse(target)) {
      throw new CommandFailure("listen needs --forward-to and an http(s) URL.", USAGE);
    }
    await listen(api, { target, file: state, url });
    return;
  }
  if (command === "trigger") {
    requireCount(rest, 1, "trigger needs one event, for example: trigger card.frozen");
    const [name = ""] = rest;
    await trigger(api, name, triggers[name]);
    return;
  }
  throw new CommandFailure(`There is no command ${command}. See --help.`, USAGE);
}

function read(args: string[]) {
  try {
    return parseArgs({ args, options: OPTIONS, allowPositionals: true });
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    throw new CommandFailure(`${message} See --help.`, USAGE);
  }
}

function requireCount(rest: string[], count: number, sentence: string): void {
  if (rest.length !== count) {
    throw new CommandFailure(sentence, USAGE);
  }
}

function report(error: unknown): number {
  if (!(error instanceof CommandFailure || isConnectionError(error) || isRefusal(error))) {
    throw error;
  }
  process.stderr.write(`floatdeck: ${error.message}\n`);
  return error instanceof CommandFailure ? error.exitCode : 1;
}

function toColumns(names: string[]): string {
  return names.map((name) => `  ${name}`).join("\n");
}
