import { setTimeout as sleep } from "node:timers/promises";
import { signWebhook } from "../sign-webhook.ts";
import type { FeedEvent } from "./api.ts";

const TIMEOUT_MS = 15_000;
const PAUSE_MIN_MS = 250;
const PAUSE_MAX_MS = 5_000;

/** How often an event is sent to a handler that receives it and answers something other than 2xx. */
const REFUSALS_MAX = 5;

/** What a proxy answers when the program behind it is gone. */
const GONE: ReadonlySet<number> = new Set([502, 503, 504]);

export interface Target {
  url: string;
  secret: string;
  say: (line: string) => void;
  signal: AbortSignal;
}

/**
 * Sends an event to the handler, signed as Floatdeck signs it, until it has arrived: while the target is gone, it waits;
 * an event that the handler refuses again and again is skipped, and says so.
 * @throws the signal's reason.
 */
export async function forward(event: FeedEvent, target: Target): Promise<void> {
  let refusals = 0;
  let isWaiting = false;
  for (let attempts = 1; ; attempts += 1) {
    const { status, took, reason } = await attempt(event, target);
    if (status === undefined || GONE.has(status)) {
      if (!isWaiting) {
        target.say(
          `${target.url} does not answer (${reason ?? status}). Waiting for it; events are kept.`,
        );
      }
      isWaiting = true;
    } else {
      refusals += 1;
      target.say(`${toLine(event)} -> ${status} in ${took} ms`);
      if (status >= 200 && status < 300) {
        return;
      }
      if (refusals >= REFUSALS_MAX) {
        target.say(
          `Skipping ${event.event} ${event.id}: the handler refused it ${refusals} times.`,
        );
        return;
      }
    }
    await sleep(Math.min(PAUSE_MAX_MS, PAUSE_MIN_MS * 2 ** Math.min(attempts, 10)), undefined, {
      signal: target.signal,
    });
  }
}

interface AttemptResult {
  /** Undefined when no answer arrived. */
  status?: number;
  reason?: string;
  took: number;
}

async function attempt(event: FeedEvent, { url, secret, signal }: Target): Promise<AttemptResult> {
  const body = JSON.stringify(event);
  const startedAt = performance.now();
  const took = () => Math.round(performance.now() - startedAt);
  try {
    const response = await fetch(url, {
      method: "POST",
      redirect: "manual",
      headers: {
        "Content-Type": "application/json",
        ...(await signWebhook(secret, body, { id: event.id })),
      },
      body,
      signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]),
    });
    await response.arrayBuffer();
    return { status: response.status, took: took() };
  } catch (error) {
    signal.throwIfAborted();
    return { reason: toReason(error), took: took() };
  }
}

function toLine({ event, subject, sequence }: FeedEvent): string {
  return `${new Date().toTimeString().slice(0, 8)}  ${event}  ${subject.type} ${subject.id} #${sequence}`;
}

function toReason(error: unknown): string {
  const cause = error instanceof Error ? (error.cause ?? error) : error;
  const code = cause instanceof Error && "code" in cause ? cause.code : undefined;
  return String(code ?? (cause instanceof Error ? cause.message : cause));
}
