import type { z } from "zod";
import type { Operation } from "#lib/operations/operation.ts";
import type { problemSchema } from "#lib/api/contract/problem.ts";
import { ApprovalNeeded, requireTakenEffect } from "#lib/api/approval-needed.ts";
import { STAFF_ID_HEADER } from "#lib/base/page-person.ts";

/** The browser's side of the API, typed by the contract. */

export type Problem = z.output<typeof problemSchema>;

let documentStaffId: string | null = null;

/**
 * Whether this document was made for this person. A document shows one person only: the first caller's. Signing in as
 * another person loads a new document. Call it in the browser only.
 */
export function isDocumentOf(staffId: string): boolean {
  documentStaffId ??= staffId;
  return documentStaffId === staffId;
}

/** The person that this document was made for; null for a document made for no one. */
export function findDocumentStaffId(): string | null {
  return documentStaffId;
}

/**
 * Names the person whose page a request comes from: the cookie belongs to the browser, and may identify another person
 * by now.
 */
function toOwnHeaders(): Record<string, string> {
  return documentStaffId === null ? {} : { [STAFF_ID_HEADER]: documentStaffId };
}

/** A refusal, with the server's own detail. */
export class ApiProblem extends Error {
  readonly problem: Problem;
  /** Whether the answer is final; one with `Retry-After` or a 5xx is not. */
  readonly isFinal: boolean;

  constructor(problem: Problem, isFinal: boolean) {
    super(problem.detail);
    this.name = "ApiProblem";
    this.problem = problem;
    this.isFinal = isFinal;
  }
}

/** No answer arrived, and the browser has no connection. */
export class OfflineError extends Error {
  constructor(cause: unknown) {
    super("The browser is offline.", { cause });
    this.name = "OfflineError";
  }
}

/**
 * The session ended before the answer to a change arrived. It may have been made: an earlier attempt
 * was sent.
 */
export class UnknownOutcomeError extends Error {
  /** Whether the answer is stored under the idempotency key, so that the change can be looked up. */
  readonly isStored: boolean;

  constructor(cause: unknown, { isStored }: { isStored: boolean }) {
    super("The session ended before the answer arrived.", { cause });
    this.name = "UnknownOutcomeError";
    this.isStored = isStored;
  }
}

/**
 * Loads an operation on demand: a page fetches the contract and its schemas only when the user
 * acts, not to render.
 */
export type LazyOperation<
  Q extends z.ZodType,
  B extends z.ZodType,
  A extends z.ZodType,
> = () => Promise<Operation<Q, B, A>>;

type Loaded<Load extends () => Promise<Operation>> = Awaited<ReturnType<Load>>;

/** The body of an operation, and its answer. */
export type BodyOf<Load extends () => Promise<Operation>> = z.input<
  NonNullable<Loaded<Load>["body"]>
>;
export type AnswerOf<Load extends () => Promise<Operation>> = z.output<Loaded<Load>["answer"]>;

/** The input of an operation. `id` is the id or key in its path. */
export interface ApiInput<Query, Body> {
  id?: string | undefined;
  query?: Query | undefined;
  body?: Body | undefined;
}

/** A request that was answered, and the answer, apart from their bodies. */
export interface SentRequest {
  method: string;
  url: string;
  requestHeaders: Readonly<Record<string, string>>;
  status: number;
  responseHeaders: Headers;
}

/** How a request is sent. `onResponse` is called when the answer's headers arrive. */
interface SendOptions {
  idempotencyKey?: string;
  signal?: AbortSignal;
  onResponse?: ((sent: SentRequest) => void) | undefined;
}

/**
 * Calls an operation with the session cookie.
 * @throws ApiProblem when the server refuses it; OfflineError or another error when no answer
 * arrives.
 */
export async function callApi<Q extends z.ZodType, B extends z.ZodType, A extends z.ZodType>(
  load: LazyOperation<Q, B, A>,
  input: ApiInput<z.input<Q>, z.input<B>>,
  options: SendOptions = {},
): Promise<z.output<A>> {
  try {
    return await send(await load(), input, options);
  } catch (error) {
    // We send the request even when the browser is offline, because a server on the same machine
    // answers without a network.
    const isAnswered = error instanceof ApiProblem || error instanceof ApprovalNeeded;
    throw isAnswered || navigator.onLine ? error : new OfflineError(error);
  }
}

const RESENDS_MAX = 2;
const PAUSE_MS = 1_000;
const TIMEOUT_MS = 30_000;
/** A resend later than this is pointless: the machine has been asleep. */
const RESENT_WITHIN_MS = 120_000;

/**
 * Calls an operation that changes something. When the answer is lost, the request is resent with
 * the same idempotency key, a bounded number of times; never while the browser is offline, and
 * never after the signal aborts.
 * @param options.isRepeat the key has been sent before, and no answer arrived.
 * @throws UnknownOutcomeError when the session ended after a request that may have arrived.
 */
export async function callChange<Q extends z.ZodType, B extends z.ZodType, A extends z.ZodType>(
  load: LazyOperation<Q, B, A>,
  input: ApiInput<z.input<Q>, z.input<B>>,
  options: SendOptions & { idempotencyKey: string; signal: AbortSignal; isRepeat?: boolean },
): Promise<z.output<A>> {
  const { idempotencyKey, signal, onResponse } = options;
  const startedAt = Date.now();
  for (let resends = 0; ; resends += 1) {
    try {
      const inTime = AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]);
      return await callApi(load, input, { idempotencyKey, signal: inTime, onResponse });
    } catch (error) {
      if (isSessionEnd(error) && (options.isRepeat || resends > 0)) {
        throw new UnknownOutcomeError(error, { isStored: !(await load()).secret });
      }
      if (resends === RESENDS_MAX || !isWorthResending(error)) {
        throw error;
      }
      await pause(PAUSE_MS * 2 ** resends, signal);
      if (signal.aborted || Date.now() - startedAt > RESENT_WITHIN_MS) {
        throw error;
      }
    }
  }
}

function isWorthResending(error: unknown): boolean {
  return isLost(error) && !(error instanceof OfflineError);
}

/** Waits until the time has passed or the signal aborts. */
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
  options: SendOptions,
): Promise<z.output<A>> {
  const { method } = operation;
  const url = toUrl(operation, input);
  const headers = {
    ...toOwnHeaders(),
    ...(input.body === undefined ? {} : { "Content-Type": "application/json" }),
    ...(options.idempotencyKey ? { "Idempotency-Key": options.idempotencyKey } : {}),
  };
  const response = await fetch(url, {
    method,
    credentials: "same-origin",
    headers,
    ...(input.body === undefined ? {} : { body: JSON.stringify(input.body) }),
    ...(options.signal ? { signal: options.signal } : {}),
  });
  options.onResponse?.({
    method,
    url,
    requestHeaders: headers,
    status: response.status,
    responseHeaders: response.headers,
  });
  const answer: unknown = await response.json();
  if (!response.ok) {
    // The server tests that its own answers satisfy the contract, so we do not check again here.
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    const problem = answer as Problem;
    throw new ApiProblem(problem, response.status < 500 && !response.headers.has("retry-after"));
  }
  requireTakenEffect(answer);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return answer as z.output<A>;
}

/** An answer, whatever its status. */
export interface PlainAnswer {
  status: number;
  requestId: string | null;
  text: string;
}

/** A request as the API log has it. */
export interface LoggedCall {
  method: string;
  path: string;
  apiVersion: string | null;
  idempotencyKey: string | null;
  /** JSON; null for no body. */
  body: string | null;
}

/**
 * Sends a request of the API log again with the session cookie. A refusal is an answer too.
 * @throws OfflineError or another error when no answer arrives.
 */
export async function sendLogged(call: LoggedCall, signal: AbortSignal): Promise<PlainAnswer> {
  try {
    const response = await fetch(call.path, {
      method: call.method,
      credentials: "same-origin",
      headers: {
        ...toOwnHeaders(),
        ...(call.body === null ? {} : { "Content-Type": "application/json" }),
        ...(call.apiVersion === null ? {} : { "Api-Version": call.apiVersion }),
        ...(call.idempotencyKey === null ? {} : { "Idempotency-Key": call.idempotencyKey }),
      },
      body: call.body,
      signal,
    });
    return {
      status: response.status,
      requestId: response.headers.get("x-request-id"),
      text: await response.text(),
    };
  } catch (error) {
    throw navigator.onLine ? error : new OfflineError(error);
  }
}

function toUrl(operation: Operation, input: ApiInput<unknown, unknown>): string {
  const path = operation.path.replace(/\{(?:id|key)\}/u, encodeURIComponent(input.id ?? ""));
  const query = Object.entries(input.query ?? {}).flatMap(([name, value]) =>
    value === undefined || value === null ? [] : [[name, String(value)]],
  );
  return `/api${path}${query.length > 0 ? `?${new URLSearchParams(query).toString()}` : ""}`;
}

/** Whether a request was refused, or not sent again, because the page's person is no longer signed in. */
export function isSessionEnd(error: unknown): boolean {
  return (
    error instanceof UnknownOutcomeError ||
    isSessionChange(error) ||
    (error instanceof ApiProblem && error.problem.code === "credential_missing")
  );
}

/** Whether a request was refused because someone else has signed in since the page was made. */
export function isSessionChange(error: unknown): boolean {
  const refusal = error instanceof UnknownOutcomeError ? error.cause : error;
  return refusal instanceof ApiProblem && refusal.problem.code === "session_changed";
}

/** Whether the outcome of the request is unknown. The caller then resends it with the same key. */
export function isLost(error: unknown): boolean {
  return !(error instanceof ApprovalNeeded || (error instanceof ApiProblem && error.isFinal));
}
