import { OPERATIONS } from "./operations.ts";
import { callApi } from "#lib/api/client.ts";
import type { AnswerOf } from "#lib/api/client.ts";

/** The notice waits for the amount this long. */
const TIMEOUT_MS = 5_000;

const LISTED = 100;

/**
 * How much a request withdrew from a card. The response to "all" contains only the card, and the balance on the page
 * may have been out of date. Null if the card's timeline does not show the amount.
 */
export async function findWithdrawn(cardId: string, requestId: string): Promise<number | null> {
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  const input = { id: cardId, query: { limit: String(LISTED) } };
  try {
    return toWithdrawn(await callApi(OPERATIONS.listCardActivity, input, { signal }), requestId);
  } catch {
    // The money has moved anyway, and the page will show it.
    return null;
  }
}

/**
 * The sum of a request's debits on a page of the timeline: there are several if it moved more than one transfer can.
 * Null if there is none, or if the next page may contain more of them.
 */
export function toWithdrawn(
  page: AnswerOf<typeof OPERATIONS.listCardActivity>,
  requestId: string,
): number | null {
  const own = page.data.filter(
    ({ transaction, request_id }) => transaction?.type === "debit" && request_id === requestId,
  );
  const isWhole = page.next_cursor === null || page.data.at(-1)?.request_id !== requestId;
  return own.length > 0 && isWhole
    ? own.reduce((sum, { transaction }) => sum + (transaction?.amount ?? 0), 0)
    : null;
}
