import type { OPERATIONS } from "../client/operations.ts";
import type { Tone } from "../ui/alert.tsx";
import type { AnswerOf } from "#lib/api/client.ts";

type Keyed = AnswerOf<typeof OPERATIONS.getIdempotencyKey>["data"];

/** A request that the server has not seen within this time after it was sent will never arrive. */
const ARRIVES_WITHIN_MS = 30_000;

/** HTTP statuses from here on are refusals. */
const REFUSALS_FROM = 400;

/** The outcome of a change, as its sender reads it. */
export interface Outcome {
  tone: Tone;
  title: string;
  detail: string;
}

const DONE: Outcome = {
  tone: "success",
  title: "Your last change went through",
  detail: "The answer was lost on the way. The change was made once.",
};
const WAITING: Outcome = {
  tone: "warning",
  title: "Your last change waits for approval",
  detail: "The answer was lost on the way. Nothing has happened yet: see Approvals.",
};
const NEVER_ARRIVED: Outcome = {
  tone: "warning",
  title: "Your last change was not made",
  detail: "It never reached the server, so nothing changed. You can make it again.",
};
/**
 * Interprets the server's answer about a change; undefined while the outcome is unknown.
 * @param ageMs how long after it was sent the change was looked up.
 */
export function findOutcome(keyed: Keyed | undefined, ageMs: number): Outcome | undefined {
  if (keyed === undefined || keyed.state === "in_progress") {
    return undefined;
  }
  if (keyed.state === "unknown") {
    return ageMs > ARRIVES_WITHIN_MS ? NEVER_ARRIVED : undefined;
  }
  if (keyed.state === "waiting_for_approval") {
    return WAITING;
  }
  return keyed.status !== null && keyed.status >= REFUSALS_FROM ? toRefused(keyed) : DONE;
}

function toRefused({ body }: Keyed): Outcome {
  const reason =
    typeof body === "object" && body !== null && "detail" in body ? ` ${String(body.detail)}` : "";
  return {
    tone: "danger",
    title: "Your last change was refused",
    detail: `Nothing changed.${reason}`,
  };
}
