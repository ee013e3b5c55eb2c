import type { CardResource } from "./acts.ts";
import { notify } from "../../../client/notice-store.ts";
import { OPERATIONS } from "../../../client/operations.ts";
import { toFreezeText } from "../freeze-text.ts";
import { isStatusChanged } from "../status-change.ts";
import { callApi } from "#lib/api/client.ts";

/**
 * Handles a refusal that happened because the card's status has changed since it was shown. Shows the card's current
 * state, and closes the dialog if somebody else has already done what it is for. Otherwise, returns the card, so that
 * the person can continue with it, or, for a freeze, the dialog itself.
 */
export async function afterStatusConflict(
  card: CardResource,
  error: unknown,
  dialog: {
    /** Whether the card is already in the dialog's target state. */
    isDone: (now: CardResource) => boolean;
    onChanged: (card: CardResource) => void;
    onClose: () => void;
  },
): Promise<CardResource | null> {
  if (!isStatusChanged(error)) {
    return null;
  }
  // If the card cannot be read, the refusal stays on the screen.
  const now = await callApi(OPERATIONS.getCard, { id: card.id }).catch(() => null);
  if (now) {
    dialog.onChanged(now);
  }
  if (!now || !dialog.isDone(now)) {
    return now;
  }
  dialog.onClose();
  notify(
    now.freeze
      ? `Already ${toFreezeText({ reason: now.freeze.reason, by: now.freeze.actor.name })}.`
      : "Already unfrozen.",
  );
  return null;
}
