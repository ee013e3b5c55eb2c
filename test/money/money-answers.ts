import type { ApiReply } from "#test/scene/api-client.ts";
import type { Expected } from "./money-model.ts";

interface Body {
  id?: string;
  code?: string;
  decline_reason?: string | null;
  data?: { id?: string; decline_reason?: string | null };
}

/** The transaction that an answer is about. */
export function toId(reply: ApiReply | undefined): string {
  const { id, data } = (reply?.json ?? {}) as Body;
  return data?.id ?? id ?? "";
}

/** The outcome of an act, as its response reports it. */
export function toOutcome(reply: ApiReply | undefined): Expected {
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
