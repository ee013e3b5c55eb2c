import { randomUUID } from "node:crypto";
import { parseArgs } from "node:util";
import { readEnv } from "#lib/base/env.ts";
import { runScenario } from "#lib/scenarios/run-scenario.ts";
import type { StepProgress } from "#lib/scenarios/run-scenario.ts";
import { toSentence } from "#lib/scenarios/condition.ts";
import type { Scenario } from "#lib/scenarios/scenario.ts";
import { listScenarios } from "#lib/scenarios/scenarios.ts";
import type { Environment } from "./installation.ts";
import { ROOT } from "#db/root.ts";

/** The command was called the wrong way. */
class UsageError extends Error {}

/** No scenario can run on this server. */
class ServerError extends Error {}

const NAME_WIDTH = 36;
const STEP_WIDTH = 22;
const REQUEST_MAX = 140;
const MS_PER_S = 1_000;

const HELP = `Usage: npm run scenario -- [name …] [options]

Runs scenarios against a running sandbox, each with an account of its own. Without a name, runs all.

  --base-url <url>                    the server; the default is where npm start serves
  --list                              list the scenarios
  --help                              show this help
`;

/** The functions with which the command prints its output as it runs. */
export interface Output {
  out: (text: string) => void;
  err: (text: string) => void;
}

/**
 * Runs the command line. The exit code is 0 when every scenario has passed, 1 when one has failed or the server cannot run
 * any, and 2 when the command was not understood.
 * @param environment says where the server is, as for `npm start`.
 */
export async function runScenarioCommand(
  args: readonly string[],
  environment: Environment,
  { out, err }: Output,
): Promise<number> {
  try {
    const { values, positionals } = read(args);
    if (values.help) {
      out(HELP);
      return 0;
    }
    const scenarios = await listScenarios(ROOT);
    if (values.list) {
      out(scenarios.map(({ name, title }) => `${name.padEnd(NAME_WIDTH)}${title}\n`).join(""));
      return 0;
    }
    const origin = toOrigin(values["base-url"] ?? readEnv(environment).publicUrl);
    return await runAll(select(scenarios, positionals), origin, out);
  } catch (error) {
    if (!(error instanceof UsageError || error instanceof ServerError)) {
      throw error;
    }
    err(`floatdeck: ${error.message}\n`);
    return error instanceof UsageError ? 2 : 1;
  }
}

function read(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        "base-url": { type: "string" },
        list: { type: "boolean", default: false },
        help: { type: "boolean", default: false },
      },
    });
  } catch (error) {
    throw new UsageError(`${error instanceof Error ? error.message : String(error)} See --help.`);
  }
}

function select(scenarios: readonly Scenario[], names: readonly string[]): readonly Scenario[] {
  const unknown = names.find((name) => !scenarios.some((each) => each.name === name));
  if (unknown !== undefined) {
    throw new UsageError(`There is no scenario ${unknown}; see --list.`);
  }
  return names.length === 0 ? scenarios : scenarios.filter(({ name }) => names.includes(name));
}

/** Accepts a URL with or without `/api`, because the BASE_URL of the guides includes it. */
function toOrigin(url: string): string {
  if (!URL.canParse(url) || !/^https?:/u.test(url)) {
    throw new UsageError(`--base-url must be an http(s) URL, not "${url}".`);
  }
  return url.replace(/\/+$/u, "").replace(/\/api$/u, "");
}

async function runAll(
  scenarios: readonly Scenario[],
  origin: string,
  out: Output["out"],
): Promise<number> {
  let failed = 0;
  for (const scenario of scenarios) {
    failed += (await runOne(scenario, origin, out)) ? 0 : 1;
  }
  out(`${scenarios.length - failed} passed, ${failed} failed\n`);
  return failed === 0 ? 0 : 1;
}

/** Runs a scenario and prints each step when it has ended. @returns whether it has passed. */
async function runOne(scenario: Scenario, origin: string, out: Output["out"]): Promise<boolean> {
  out(`${scenario.title}\n`);
  const started = performance.now();
  let passed = true;
  const options = { baseUrl: `${origin}/api`, run: randomUUID() };
  for await (const progress of runScenario(scenario, options)) {
    if (progress.state !== "running") {
      refuseServer(progress, origin);
      out(describe(progress));
      passed = progress.state === "passed";
    }
  }
  const seconds = ((performance.now() - started) / MS_PER_S).toFixed(1);
  out(`  ${passed ? "passed" : "FAILED"} in ${seconds} s\n\n`);
  return passed;
}

/** @throws ServerError when no server answers, or when the server allows no registration. */
function refuseServer({ response, failure }: StepProgress, origin: string): void {
  if (response === null && failure !== null) {
    throw new ServerError(`${failure} Start it with npm start, or name another with --base-url.`);
  }
  const { body } = response ?? {};
  if (typeof body === "object" && body !== null && "code" in body && body.code === "sandbox_only") {
    throw new ServerError(`The server at ${origin} is live. Scenarios run in a sandbox only.`);
  }
}

/** One line for a step. If the step failed, more lines show the expected and the actual values. */
function describe(progress: StepProgress): string {
  const { step, state, response, attempts, checks, failure } = progress;
  const verdict = state === "passed" ? "ok    " : "FAILED";
  const times = attempts === 1 ? "" : `, attempt ${attempts}`;
  const line = `  ${verdict}  ${step.id.padEnd(STEP_WIDTH)}${toLine(progress)} → ${response?.status}${times}\n`;
  if (failure === null) {
    return line;
  }
  const [, ...others] = checks.filter(({ passed }) => !passed);
  const sentences = [failure, ...others.map((each) => toSentence(each))];
  return [line, ...sentences.map((sentence) => `          ${sentence}\n`)].join("");
}

function toLine({ request: { method, url, body } }: StepProgress): string {
  const { pathname, search } = new URL(url);
  const line = [method, `${pathname}${search}`, ...(body === null ? [] : [body])].join(" ");
  return line.length > REQUEST_MAX ? `${line.slice(0, REQUEST_MAX)}…` : line;
}
