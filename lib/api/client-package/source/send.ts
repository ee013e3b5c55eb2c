import { FloatdeckConnectionError, FloatdeckError, isProblem } from "./problems.ts";

/** One request, and how persistently to send it. Times are in milliseconds. */
export interface Outgoing {
  method: string;
  url: string;
  headers: Record<string, string>;
  body: string | undefined;
  /** Whether sending it twice has the effect of sending it once. */
  repeatable: boolean;
  /** How long one attempt may take. */
  timeoutMs: number;
  /** How long all attempts and the pauses between them may take. */
  deadlineMs: number;
  retriesMax: number;
  signal: AbortSignal | undefined;
}

export interface Incoming {
  body: unknown;
  headers: Headers;
}

/** An attempt that ended: with an answer, or with what may go better next time. */
type Attempt = { answer: Incoming } | { failure: Error; isFinal: boolean; retryAfterMs: number };

const PAUSE_MIN_MS = 250;
const PAUSE_MAX_MS = 8_000;

/**
 * Sends a request until the answer is final, with the same headers, so with the same idempotency key: again after a lost
 * connection, a 5xx, and any answer with `Retry-After`.
 * @throws FloatdeckError for a refusal; FloatdeckConnectionError when no answer arrived in time; the signal's reason.
 */
export async function send(request: Outgoing): Promise<Incoming> {
  const endsAt = Date.now() + request.deadlineMs;
  for (let retries = 0; ; retries += 1) {
    request.signal?.throwIfAborted();
    const attempt = await attemptOnce(request, endsAt - Date.now());
    if ("answer" in attempt) {
      return attempt.answer;
    }
    request.signal?.throwIfAborted();
    const pauseMs = Math.max(attempt.retryAfterMs, toPause(retries));
    const isLast = retries >= request.retriesMax || Date.now() + pauseMs >= endsAt;
    if (attempt.isFinal || !request.repeatable || isLast) {
      throw attempt.failure;
    }
    await pause(pauseMs, request.signal);
  }
}

/** Doubles with each retry, and differs between clients, so that they do not all come back at once. */
function toPause(retries: number): number {
  const most = Math.min(PAUSE_MAX_MS, PAUSE_MIN_MS * 2 ** retries);
  return most / 2 + Math.random() * (most / 2);
}

async function attemptOnce(request: Outgoing, leftMs: number): Promise<Attempt> {
  const { method, headers, body, signal } = request;
  const idempotencyKey = headers["Idempotency-Key"];
  const abort = new AbortController();
  const stop = () => abort.abort();
  signal?.addEventListener("abort", stop);
  const timer = setTimeout(stop, Math.min(request.timeoutMs, Math.max(leftMs, 1)));
  try {
    const response = await fetch(request.url, {
      method,
      headers,
      signal: abort.signal,
      ...(body === undefined ? {} : { body }),
    });
    const text = await response.text();
    return readAnswer(response, text, idempotencyKey);
  } catch (cause) {
    const message = `No answer from ${new URL(request.url).origin}: ${toReason(cause)}.`;
    const failure = new FloatdeckConnectionError(message, { cause, idempotencyKey });
    return { failure, isFinal: false, retryAfterMs: 0 };
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener("abort", stop);
  }
}

/** @throws SyntaxError when the answer was cut off. */
function readAnswer(response: Response, text: string, idempotencyKey: string | undefined): Attempt {
  const { status, headers } = response;
  const isJson = /json/u.test(headers.get("content-type") ?? "");
  const body: unknown = isJson ? JSON.parse(text) : text;
  if (response.ok) {
    return { answer: { body, headers } };
  }
  const isFinal = status < 500 && !headers.has("retry-after");
  const failure = isProblem(body)
    ? new FloatdeckError(body, { idempotencyKey, isFinal })
    : new FloatdeckConnectionError(`The server answered ${status} without a reason.`, {
        idempotencyKey,
      });
  return { failure, isFinal, retryAfterMs: toRetryAfter(headers) };
}

/** `Retry-After` in milliseconds: it is a number of seconds, or a date. */
function toRetryAfter(headers: Headers): number {
  const given = headers.get("retry-after");
  if (given === null) {
    return 0;
  }
  const ms = /^[0-9]+$/u.test(given) ? Number(given) * 1_000 : Date.parse(given) - Date.now();
  return Number.isFinite(ms) ? Math.max(ms, 0) : 0;
}

function toReason(cause: unknown): string {
  if (!(cause instanceof Error)) {
    return String(cause);
  }
  if (cause.name === "AbortError") {
    return "it took too long";
  }
  return cause.cause instanceof Error ? cause.cause.message || cause.message : cause.message;
}

/** Waits until the time has passed or the signal aborts. */
function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    signal?.addEventListener("abort", end);
  });
}
