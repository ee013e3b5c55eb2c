import type { Incoming, Outgoing } from "./exchange.ts";
import { member } from "./member.ts";
import {
  FloatdeckAbortError,
  FloatdeckConnectionError,
  FloatdeckTimeoutError,
  toRefusal,
} from "./problems.ts";
import type { Problem } from "./problems.ts";
import { toStop } from "./stop.ts";
import type { Stop } from "./stop.ts";
import { NEVER } from "./times.ts";

/** An attempt that ended: with an answer, or with what may go better next time. */
export type Attempt =
  | (Incoming & { error?: undefined })
  | { error: Error; isFinal: boolean; response?: Incoming["response"] | undefined };

/** The error codes of a connection to a server that is of the wrong kind, or has no trusted certificate. */
const HOPELESS = /CERT|SSL|SIGNATURE|EPROTO/u;

export async function attemptOnce(request: Outgoing, leftMs: number): Promise<Attempt> {
  const { url, init, signal, fetch } = request;
  const stop = toStop(signal, Math.min(request.timeoutMs, leftMs));
  let isOpen = false;
  try {
    signal?.throwIfAborted();
    // Another server must not get the body, nor be believed.
    const made = { ...init, redirect: "manual", signal: stop.signal } as const;
    const response = await fetch(url.href, made);
    isOpen = response.ok && request.answers === "bytes";
    const answer = isOpen ? readBytes(response, stop, request) : await response.text();
    return readAnswer(response, answer, request);
  } catch (cause) {
    return toFailure(cause, stop, request);
  } finally {
    if (!isOpen) {
      stop.now();
    }
  }
}

/** @throws SyntaxError when the answer was cut off. */
function readAnswer(response: Response, answer: unknown, request: Outgoing): Attempt {
  const { status, headers, ok } = response;
  const { url, answers, idempotencyKey } = request;
  const requestId = headers.get("x-request-id");
  const details = { status, headers, requestId, idempotencyKey };
  const isJson = Boolean(headers.get("content-type")?.includes("json"));
  const data: unknown = isJson ? JSON.parse(String(answer)) : answer;
  const problem = toProblem(data, details);
  if (ok && problem === data && isJson === (answers === "json")) {
    return { data, response: details };
  }
  const isFinal = status < 500 && !headers.has("retry-after");
  const place = headers.get("location");
  const error = isProblem(problem)
    ? new (toRefusal(status))(problem, idempotencyKey, isFinal)
    : new FloatdeckConnectionError(
        `${url.origin} answered ${status} ${place ? `and redirects to ${place}` : "and not as Floatdeck does"}.`,
        idempotencyKey,
      );
  return { error, isFinal, response: details };
}

/** What was answered, or why that is no success: another person must approve the change first. */
function toProblem(data: unknown, { status, requestId }: Incoming["response"]): unknown {
  const approval = status === 202 && member(member(data, "data"), "approval");
  const detail = "Another person must approve.";
  return approval
    ? { code: "waiting_for_approval", status, detail, request_id: requestId, approval }
    : data;
}

function isProblem(value: unknown): value is Problem {
  return typeof member(value, "code") === "string";
}

/** Why no answer arrived, and whether that would happen again. */
function toFailure(cause: unknown, stop: Stop, request: Outgoing) {
  const { url, signal, idempotencyKey } = request;
  if (signal?.aborted) {
    return { error: new FloatdeckAbortError(signal.reason, idempotencyKey), isFinal: true };
  }
  const message = `No answer from ${url.origin}: `;
  if (stop.signal.aborted) {
    const error = new FloatdeckTimeoutError(`${message}it took too long.`, idempotencyKey, cause);
    return { error, isFinal: false };
  }
  const reason = member(cause, "cause") ?? cause;
  const error = new FloatdeckConnectionError(
    `${message}${String(member(reason, "message") || reason)}.`,
    idempotencyKey,
    cause,
  );
  return { error, isFinal: HOPELESS.test(String(member(reason, "code"))) };
}

/**
 * The bytes of a file as they arrive. The time for an answer begins anew with each part, and does not pass while the caller
 * is busy with one. What is left is not read when the caller stops.
 * @throws FloatdeckConnectionError when it is cut off.
 */
async function* readBytes(
  response: Response,
  stop: Stop,
  request: Outgoing,
): AsyncGenerator<Uint8Array, void> {
  try {
    for await (const part of response.body ?? []) {
      stop.after(NEVER);
      yield part;
      stop.after(request.timeoutMs);
    }
  } catch (cause) {
    throw toFailure(cause, stop, request).error;
  } finally {
    stop.now();
  }
}
