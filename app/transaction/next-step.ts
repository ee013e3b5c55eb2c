import { cardCan } from "#lib/cards/card-state.ts";
import type { CardStatus } from "#lib/cards/card-state.ts";

/** The parts of a card that matter for what to do about a decline. */
export interface DeclinedCard {
  id: string;
  status: CardStatus;
  /** By the account's clock. */
  expired: boolean;
}

/** What to do about a decline: a sentence if it is settled, otherwise an action. */
export type NextStep =
  | { text: string }
  | { label: string; act: "unfreeze" | "credit"; needs: "state" | "funds" }
  | { label: string; href: string };

const ANOTHER_CARD: NextStep = { label: "Go to cards", href: "/cards" };

/** The next step after a decline, given the card's current state; null if the explanation is enough. */
export function toNextStep(
  { reason, forced }: { reason: string; forced: boolean },
  card: DeclinedCard,
): NextStep | null {
  if (forced) {
    return null;
  }
  if (reason === "card_closed" || reason === "card_expired" || reason === "single_use_spent") {
    return ANOTHER_CARD;
  }
  if (reason === "card_frozen") {
    return toThawStep(card.status);
  }
  return reason === "insufficient_funds" && cardCan.credit(card) === null
    ? { label: "Credit this card", act: "credit", needs: "funds" }
    : null;
}

function toThawStep(status: CardStatus): NextStep {
  if (status === "frozen") {
    return { label: "Unfreeze this card", act: "unfreeze", needs: "state" };
  }
  return status === "active"
    ? { text: "The card has since been unfrozen. Ask the merchant to retry." }
    : ANOTHER_CARD;
}
