import { toTimeOfId } from "#lib/base/ids.ts";
import type { Act } from "#lib/purchases/internal/replay.ts";
import type { PurchaseEvent, toEventData } from "#lib/transactions/transaction-resource.ts";

/** An event about a card's purchases, as it was recorded. */
export interface RecordedEvent {
  id: string;
  event: string;
  createdAt: Date;
  content: string;
}

/** The events that a replay reads. */
export const REPLAYED_EVENTS: readonly PurchaseEvent[] = [
  "card.transaction",
  "card.reverse-transaction",
];

type Data = ReturnType<typeof toEventData>;

interface Content {
  data: Data;
  previous: { amount?: number } | null;
}

/** Converts an event at a moment of the integrator's clock to an act; null if it counts nothing, as a refund. */
export function toAct({ event, content }: RecordedEvent, at: Date): Act | null {
  // Recorded by the product itself.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  const { data, previous } = JSON.parse(content) as Content;
  if (data.type === "deduct-reversal" || data.takes_back !== null) {
    return null;
  }
  const { amount, card_id: cardId, reference: id, merchant, hold_remaining: open } = data;
  const act = { at, cardId, id, authorizationId: data.authorization_id, merchant, open };
  if (event === "card.reverse-transaction") {
    return { ...act, kind: "release", amount };
  }
  if (data.status === "settled") {
    const kind = isFact(data) ? "fact" : "capture";
    return { ...act, kind, amount };
  }
  const increased = previous?.amount;
  if (increased !== undefined) {
    return { ...act, kind: "increment", amount: amount - increased };
  }
  // An authorization that arrived after its captures asks only for what it adds to them.
  return { ...act, kind: data.approved_by === "network" ? "fact" : "question", amount: open };
}

/** Whether the network posted the purchase without an authorization, or before it. */
function isFact({ posted_as: postedAs }: Data): boolean {
  return postedAs === "without_authorization" || postedAs === "before_authorization";
}

/**
 * Whether an act asks for approval. A capture does only if it was authorized with it: its id is as old as its event.
 */
export function isQuestion(
  { kind, authorizationId, id }: Act,
  { createdAt }: RecordedEvent,
): boolean {
  return (
    kind === "question" ||
    kind === "increment" ||
    (kind === "capture" && authorizationId === null && toTimeOfId(id) === createdAt.getTime())
  );
}
