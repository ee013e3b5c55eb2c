import { check, toSentence } from "./condition.ts";
import type { Check } from "./condition.ts";
import { evaluate, fillIn, toText } from "./expressions.ts";
import type { ExpressionContext, ScenarioResponse } from "./expressions.ts";
import type { Scenario, ScenarioStep } from "./scenario.ts";

/** A request as it was sent. */
export interface SentRequest {
  method: string;
  url: string;
  headers: Readonly<Record<string, string>>;
  /** JSON; null for no body. */
  body: string | null;
}

/** The progress of a step. */
export interface StepProgress {
  step: ScenarioStep;
  state: "running" | "passed" | "failed";
  request: SentRequest;
  /** How often the request has been sent. */
  attempts: number;
  /** Null before it arrives, and if none does. */
  response: ScenarioResponse | null;
  checks: readonly Check[];
  /** Why the step failed, in a sentence; null unless it did. */
  failure: string | null;
}

/** Where and as what a scenario runs. */
export interface RunOptions {
  /** The API, up to and including `/api`. */
  baseUrl: string;
  /** A text that no other run uses: letters, digits, and hyphens. */
  run: string;
  signal?: AbortSignal;
}

/**
 * Runs a scenario in Node or in a browser, without any credential but the API key that it creates. Reports each step when
 * it begins, after each attempt, and when it has passed or failed. A step that fails is the last one.
 * @throws DOMException when the signal aborts.
 */
export async function* runScenario(
  scenario: Scenario,
  { baseUrl, run, signal = new AbortController().signal }: RunOptions,
): AsyncGenerator<StepProgress> {
  const outputs: Record<string, Record<string, unknown>> = {};
  for (const step of scenario.steps) {
    const context = { inputs: { run }, outputs };
    const begun = begin(step, toRequest(step, baseUrl, context));
    yield begun;
    let ended = await attempt(begun, context, signal);
    while (ended.state === "running") {
      yield ended;
      await pause(step.retry?.afterS ?? 0, signal);
      ended = await attempt(ended, context, signal);
    }
    yield ended;
    if (ended.state === "failed") {
      return;
    }
    outputs[step.id] = readOutputs(step, { ...context, response: ended.response ?? undefined });
  }
}

function begin(step: ScenarioStep, request: SentRequest): StepProgress {
  return {
    step,
    state: "running",
    request,
    attempts: 0,
    response: null,
    checks: [],
    failure: null,
  };
}

/** Sends the request once. The step is still running when it may be sent again. */
async function attempt(
  before: StepProgress,
  context: ExpressionContext,
  signal: AbortSignal,
): Promise<StepProgress> {
  const { step, request } = before;
  const attempts = before.attempts + 1;
  const response = await send(request, signal);
  if (response instanceof Error) {
    return { ...before, attempts, state: "failed", failure: toUnreached(request, response) };
  }
  const answered = { ...context, response };
  const checks = step.criteria.map((condition) => check(condition, answered));
  const failure = toFailure(step, checks, answered);
  const isRepeated = failure !== null && step.retry !== null && attempts <= step.retry.limit;
  const state = failure === null ? "passed" : isRepeated ? "running" : "failed";
  return { step, request, attempts, response, checks, state, failure: isRepeated ? null : failure };
}

function toRequest(step: ScenarioStep, baseUrl: string, context: ExpressionContext): SentRequest {
  const headers: Record<string, string> = {};
  const query = new URLSearchParams();
  let { path } = step;
  for (const parameter of step.parameters) {
    const value = toText(fillIn(parameter.value, context));
    if (parameter.in === "path") {
      path = path.replace(`{${parameter.name}}`, encodeURIComponent(value));
    } else if (parameter.in === "query") {
      query.append(parameter.name, value);
    } else {
      headers[parameter.name] = value;
    }
  }
  const body = step.body === undefined ? null : JSON.stringify(fillIn(step.body, context));
  return {
    method: step.method,
    url: `${baseUrl}${path}${query.size > 0 ? `?${query.toString()}` : ""}`,
    headers: { ...headers, ...(body === null ? {} : { "Content-Type": "application/json" }) },
    body,
  };
}

/** @returns the response, or the error if none arrived. */
async function send(
  { method, url, headers, body }: SentRequest,
  signal: AbortSignal,
): Promise<ScenarioResponse | Error> {
  try {
    // No cookie: the run acts for the account that it has registered, not for the person who is signed in.
    const response = await fetch(url, { method, headers, body, signal, credentials: "omit" });
    const text = await response.text();
    return {
      status: response.status,
      headers: Object.fromEntries(response.headers),
      body: parse(text),
    };
  } catch (error) {
    signal.throwIfAborted();
    return error instanceof Error ? error : new Error(String(error));
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function toUnreached({ url }: SentRequest, error: Error): string {
  const { cause } = error;
  const reason = cause instanceof Error ? cause.message : error.message;
  return `No response came from ${new URL(url).origin}: ${reason || error.name}.`;
}

/** Why a step has not passed; null if it has. Includes what the server says about a refusal. */
function toFailure(
  step: ScenarioStep,
  checks: readonly Check[],
  context: ExpressionContext,
): string | null {
  const failed = checks.find(({ passed }) => !passed);
  if (failed) {
    const detail = evaluate("$response.body#/detail", context);
    return [toSentence(failed), ...(detail === null ? [] : [toText(detail)])].join(" ");
  }
  const missing = Object.entries(step.outputs).find(
    ([, expression]) => evaluate(expression, context) === null,
  );
  return missing ? `The response has no ${missing[1]}, which later steps need.` : null;
}

function readOutputs(step: ScenarioStep, context: ExpressionContext): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(step.outputs).map(([name, expression]) => [name, evaluate(expression, context)]),
  );
}

const MS_PER_S = 1_000;

/** @throws the signal's reason when it aborts. */
function pause(seconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted();
    const abort = () => {
      clearTimeout(timer);
      reject(toReason(signal));
    };
    const timer = setTimeout(() => {
      signal.removeEventListener("abort", abort);
      resolve();
    }, seconds * MS_PER_S);
    signal.addEventListener("abort", abort, { once: true });
  });
}

function toReason({ reason }: AbortSignal): Error {
  return reason instanceof Error ? reason : new Error(String(reason));
}
