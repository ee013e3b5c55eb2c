import type { z } from "zod";
import type { Operation } from "#lib/api/contract/operation.ts";
import type { problemSchema } from "#lib/api/contract/resources.ts";

/** The browser's side of the API, typed by the contract. */

export type Problem = z.output<typeof problemSchema>;

/** A refusal, as the server worded it. */
export class ApiProblem extends Error {
  readonly problem: Problem;

  constructor(problem: Problem) {
    super(problem.detail);
    this.name = "ApiProblem";
    this.problem = problem;
  }
}

/** No answer came, and the browser has no connection. */
export class OfflineError extends Error {
  constructor(cause: unknown) {
    super("The browser is offline.", { cause });
    this.name = "OfflineError";
  }
}

/** How a page gets at an operation: the contract and its schemas are fetched when something is done, not to be looked at. */
export type LazyOperation<
  Q extends z.ZodType,
  B extends z.ZodType,
  A extends z.ZodType,
> = () => Promise<Operation<Q, B, A>>;

type Loaded<Load extends () => Promise<Operation>> = Awaited<ReturnType<Load>>;

/** What is sent to an operation, and what it answers. */
export type BodyOf<Load extends () => Promise<Operation>> = z.input<
  NonNullable<Loaded<Load>["body"]>
>;
export type AnswerOf<Load extends () => Promise<Operation>> = z.output<Loaded<Load>["answer"]>;

/** What an operation is called with. `id` is the one in its path. */
export interface ApiInput<Query, Body> {
  id?: string | undefined;
  query?: Query | undefined;
  body?: Body | undefined;
}

/**
 * Calls an operation with the session cookie.
 * @throws ApiProblem when it is refused; OfflineError or another error when no answer comes.
 */
export async function callApi<Q extends z.ZodType, B extends z.ZodType, A extends z.ZodType>(
  load: LazyOperation<Q, B, A>,
  input: ApiInput<z.input<Q>, z.input<B>>,
  options: { idempotencyKey?: string; signal?: AbortSignal } = {},
): Promise<z.output<A>> {
  try {
    return await send(await load(), input, options);
  } catch (error) {
    // The connection is tried all the same: a server on the browser's own machine answers without a network.
    throw error instanceof ApiProblem || navigator.onLine ? error : new OfflineError(error);
  }
}

const RESENDS_MAX = 2;
const PAUSE_MS = 1_000;
const TIMEOUT_MS = 30_000;
/** Nobody waits for a resend that comes later than this: the machine slept meanwhile. */
const RESENT_WITHIN_MS = 120_000;

/**
 * Calls an operation that changes something. While its answer is lost it is sent again under the same key, a bounded number
 * of times; never while the browser is offline, and never after the signal.
 */
export async function callChange<Q extends z.ZodType, B extends z.ZodType, A extends z.ZodType>(
  load: LazyOperation<Q, B, A>,
  input: ApiInput<z.input<Q>, z.input<B>>,
  { idempotencyKey, signal }: { idempotencyKey: string; signal: AbortSignal },
): Promise<z.output<A>> {
  const startedAt = Date.now();
  for (let resends = 0; ; resends += 1) {
    try {
      const inTime = AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]);
      return await callApi(load, input, { idempotencyKey, signal: inTime });
    } catch (error) {
      if (!isLost(error) || error instanceof OfflineError || resends === RESENDS_MAX) {
        throw error;
      }
      await pause(PAUSE_MS * 2 ** resends, signal);
      if (signal.aborted || Date.now() - startedAt > RESENT_WITHIN_MS) {
        throw error;
      }
    }
  }
}

/** Waits, or until the signal. */
function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener("abort", () => {
      clearTimeout(timer);
      resolve();
    });
  });
}

async function send<Q extends z.ZodType, B extends z.ZodType, A extends z.ZodType>(
  operation: Operation<Q, B, A>,
  input: ApiInput<z.input<Q>, z.input<B>>,
  options: { idempotencyKey?: string; signal?: AbortSignal },
): Promise<z.output<A>> {
  const response = await fetch(toUrl(operation, input), {
    method: operation.method,
    credentials: "same-origin",
    headers: {
      ...(input.body === undefined ? {} : { "Content-Type": "application/json" }),
      ...(options.idempotencyKey ? { "Idempotency-Key": options.idempotencyKey } : {}),
    },
    ...(input.body === undefined ? {} : { body: JSON.stringify(input.body) }),
    ...(options.signal ? { signal: options.signal } : {}),
  });
  const answer: unknown = await response.json();
  if (!response.ok) {
    // The server's own answers hold to the contract; that is tested there, not again here.
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    throw new ApiProblem(answer as Problem);
  }
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return answer as z.output<A>;
}

function toUrl(operation: Operation, input: ApiInput<unknown, unknown>): string {
  const path = operation.path.replace("{id}", encodeURIComponent(input.id ?? ""));
  const query = Object.entries(input.query ?? {}).flatMap(([name, value]) =>
    value === undefined || value === null ? [] : [[name, String(value)]],
  );
  return `/api${path}${query.length > 0 ? `?${new URLSearchParams(query).toString()}` : ""}`;
}

/** Whether it is unknown if the request took effect: then the same one, with the same key, is sent again. */
export function isLost(error: unknown): boolean {
  return !(error instanceof ApiProblem) || error.problem.status >= 500;
}
