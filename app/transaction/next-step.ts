import { cardCan } from "#lib/cards/card-state.ts";
import type { CardStatus } from "#lib/cards/card-state.ts";
import { findProtective, toProtectionText } from "#lib/cards/protective-freeze.ts";
import type { StandingFreeze } from "#lib/cards/protective-freeze.ts";
import type { DeclineReason } from "#lib/transactions/decline-rules.ts";

/** The parts of a card that determine what to do about a decline. */
export interface DeclinedCard {
  id: string;
  status: CardStatus;
  /** By the account's clock. */
  expired: boolean;
  /** The freezes in effect, gravest first. */
  freezes: readonly StandingFreeze[];
  /** Whether a person has reviewed its protective freeze since it was made. */
  isReviewed: boolean;
}

/** The next step's control: an action on the card, or a link to a page. */
export type NextControl =
  | { label: string; act: "unfreeze" | "credit"; needs: "state" | "funds" }
  | { label: string; href: string };

/** What to do about a decline. */
export interface NextStep {
  text: string | null;
  control: NextControl | null;
}

const ANOTHER_CARD = always({ text: null, control: { label: "Go to cards", href: "/cards" } });

/** What to do about a decline by each rule; null if the explanation is enough. */
const STEPS: Readonly<Record<DeclineReason, (card: DeclinedCard) => NextStep | null>> = {
  card_unknown: always(null),
  reversed_before: always(null),
  integrator_suspended: always(null),
  card_closed: ANOTHER_CARD,
  card_expired: ANOTHER_CARD,
  card_frozen: toThawStep,
  single_use_spent: ANOTHER_CARD,
  currency_mismatch: always(null),
  category_blocked: always(null),
  country_blocked: always(null),
  limit_exceeded: always(null),
  insufficient_funds: (card) =>
    cardCan.credit(card) === null
      ? { text: null, control: { label: "Credit this card", act: "credit", needs: "funds" } }
      : null,
};

/** The next step after a decline, given the card's current state; null if the explanation is enough. */
export function toNextStep(
  { reason, forced }: { reason: string; forced: boolean },
  card: DeclinedCard,
): NextStep | null {
  return forced || !isKnown(reason) ? null : STEPS[reason](card);
}

/** What to do about each kind of freeze. A protective freeze is never lifted from a decline's notice. */
function toThawStep(card: DeclinedCard): NextStep | null {
  if (card.status === "closed") {
    return ANOTHER_CARD(card);
  }
  if (card.status === "active") {
    return {
      text: "The card has since been unfrozen. Ask the merchant to retry.",
      control: null,
    };
  }
  const protective = findProtective(card.freezes);
  if (!protective) {
    return {
      text: null,
      control: { label: "Unfreeze this card", act: "unfreeze", needs: "state" },
    };
  }
  const advice = card.isReviewed
    ? "It has been reviewed since. Read the review before you lift it."
    : "Do not lift it without a review: check the card's purchases, and note what you found.";
  return {
    text: `${toProtectionText(protective)} ${advice}`,
    control: { label: "Review this card", href: `/cards/${card.id}` },
  };
}

function isKnown(reason: string): reason is DeclineReason {
  return Object.hasOwn(STEPS, reason);
}

function always<Step>(step: Step): (card: DeclinedCard) => Step {
  return () => step;
}
