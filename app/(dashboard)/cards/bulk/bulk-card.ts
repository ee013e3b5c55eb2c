import { toFreezeText } from "../freeze-text.ts";
import { cardCan, isProtective } from "#lib/cards/card-state.ts";
import type { CardStatus, FreezeReason } from "#lib/cards/card-state.ts";

/** The gravest freeze of a card. */
interface SeenFreeze {
  reason: FreezeReason | null;
  by: string;
  /** How many freezes of other levels the card has. */
  others: number;
}

/** A card as its row showed it when it was selected. */
export interface BulkCard {
  id: string;
  name: string;
  last4: string;
  status: CardStatus;
  statusVersion: number;
  freeze: SeenFreeze | null;
}

export type BulkAct = "freeze" | "unfreeze" | "limit";

/** A card that an action skips, and why. */
export interface Skipped {
  card: BulkCard;
  why: string;
}

/** The cards that an action affects. */
export interface Plan {
  /** To be changed without further confirmation. */
  plain: readonly BulkCard[];
  /** Frozen for protection: unfrozen only if each one is selected individually. */
  protectedCards: readonly BulkCard[];
  skipped: readonly Skipped[];
}

export function toPlan(act: BulkAct, cards: readonly BulkCard[]): Plan {
  const skipped = cards.flatMap((card) => {
    const why = findSkipReason(act, card);
    return why === null ? [] : [{ card, why }];
  });
  const left = cards.filter((card) => skipped.every((each) => each.card !== card));
  const isProtected = ({ freeze }: BulkCard) =>
    act === "unfreeze" && freeze !== null && isProtective(freeze.reason);
  return {
    plain: left.filter((card) => !isProtected(card)),
    protectedCards: left.filter(isProtected),
    skipped,
  };
}

function findSkipReason(act: BulkAct, card: BulkCard): string | null {
  const disabledReason = cardCan[act](card);
  if (disabledReason) {
    return disabledReason.detail;
  }
  if (act === "freeze" && card.freeze) {
    return `Already ${toFreezeText(card.freeze)}.`;
  }
  if (act === "unfreeze" && card.freeze && card.freeze.others > 0) {
    return "Has several freezes. Lift them on the card's page.";
  }
  return act === "unfreeze" && card.status === "active" ? "Not frozen." : null;
}

/** A number of cards in words. */
export function toCount(count: number): string {
  return count === 1 ? "1 card" : `${count.toLocaleString("en-US")} cards`;
}
