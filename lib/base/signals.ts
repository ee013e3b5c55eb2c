import { Signal } from "#db/signal.ts";

/** The API has answered a request. */
export const requestAnswered = new Signal<{
  /** Null for a path or a method that does not exist. */
  operation: string | null;
  status: number;
  /** The code of the refusal; null for a success. */
  code: string | null;
  /** Without the time that its caller asked to wait. */
  durationMs: number;
}>("request-answered");

/** A batch of requests that share a commit has ended. */
export const batchEnded = new Signal<{ queue: string; requests: number; durationMs: number }>(
  "batch-ended",
);

/** A decline has been committed. */
export const transactionDeclined = new Signal<{ reason: string }>("transaction-declined");

/**
 * One attempt to deliver a webhook has ended; it succeeded if `failure` is null. `waitedMs` is the time from its record
 * to the first attempt; null for later attempts.
 */
export const webhookAttempted = new Signal<{
  failure: string | null;
  durationMs: number;
  waitedMs: number | null;
}>("webhook-attempted");

/** A line of the log was dropped, because nobody read the log. */
export const logLineDropped = new Signal<null>("log-line-dropped");
