import type { Activity } from "#lib/transactions/card-activity.ts";
import { toTransactionResource } from "#lib/transactions/transaction-resource.ts";

export function toActivityResource(activity: Activity) {
  return {
    id: activity.id,
    type: activity.type,
    created_at: activity.createdAt.toISOString(),
    actor: activity.actor,
    request_id: activity.requestId,
    state_change: activity.type === "state_change" ? toStateChange(activity.stateChange) : null,
    transaction:
      activity.type === "transaction" ? toTransactionResource(activity.transaction) : null,
    refusal: activity.type === "refused_attempt" ? activity.refusal : null,
    note: activity.type === "note" ? toNoteResource(activity) : null,
  };
}

function toStateChange(change: Extract<Activity, { type: "state_change" }>["stateChange"]) {
  return { ...change, until: change.until?.toISOString() ?? null };
}

/** Includes the card's id: an erasure uses it to find the saved response of the request that wrote the note. */
function toNoteResource({ cardId, note }: Extract<Activity, { type: "note" }>) {
  return { card_id: cardId, transaction_id: note.transactionId, comment: note.comment };
}
