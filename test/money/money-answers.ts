import { randomUUID } from "node:crypto";
import { expect } from "vitest";
import type { Expected } from "./money-rules.ts";
import type { MoneyWorld } from "./money-world.ts";

type Reply = Awaited<ReturnType<MoneyWorld["call"]>>;

interface Body {
  id?: string;
  code?: string;
  decline_reason?: string | null;
  data?: { id?: string; decline_reason?: string | null };
}

/** The transaction that an answer is about. */
function toId(reply: Reply | undefined): string {
  const { id, data } = (reply?.json ?? {}) as Body;
  return data?.id ?? id ?? "";
}

/** The outcome of an act, as its response reports it. */
function toOutcome(reply: Reply | undefined): Expected {
  const { code, data, decline_reason: declined } = (reply?.json ?? {}) as Body;
  if (code) {
    return { refused: code };
  }
  const reason = declined ?? data?.decline_reason;
  return reason ? { declined: reason } : null;
}

/** The body of a simulated purchase or authorization. */
export function toPurchase(
  type: string,
  { amount, forced }: { amount: number; forced: string | null },
) {
  return { type, amount, ...(forced === null ? {} : { decline_with: forced }) };
}

/**
 * Sends an act, if it is repeated also concurrently and in sequence, and expects the model's outcome.
 * @returns the id of the transaction that the answer is about.
 */
export async function sendAct(
  { call }: MoneyWorld,
  { line, repeated, ...sent }: { line: string; key: string; body: object; repeated: boolean },
  expected: Expected,
): Promise<string> {
  const wanted = { ...sent, headers: { "Idempotency-Key": randomUUID() } };
  const replies = await Promise.all(
    Array.from({ length: repeated ? 2 : 1 }, () => call(line, wanted)),
  );
  if (repeated) {
    replies.push(await call(line, wanted));
  }
  expect(new Set(replies.map(({ text }) => text)).size).toBe(1);
  const [reply] = replies;
  expect(toOutcome(reply)).toEqual(expected);
  return toId(reply);
}
