/** What the model of money knows of a card and an authorization, and the rules that depend on nothing else. */

export interface ModelCard {
  status: "active" | "frozen" | "closed";
  singleUse: boolean;
  balance: number;
  held: number;
}

export interface Authorization {
  card: number;
  amount: number;
  captured: number;
  released: number;
  state: "authorized" | "settled" | "declined" | "reversed" | "expired";
  /** The day on which it expires. */
  dueOn: number;
}

/** How much an authorization still holds. */
export function toOpen({ amount, captured, released, state }: Authorization): number {
  return state === "declined" ? 0 : amount - captured - released;
}

/** The refusal of what needs a hold. */
export function toNothingHeld({ state }: Authorization): string {
  return state === "settled" ? "authorization_captured" : `authorization_${state}`;
}

/**
 * Why the card declines an amount, or null.
 * @param ownHold what the authorization to increment holds.
 */
export function toDecline(card: ModelCard, amount: number, ownHold = 0): string | null {
  if (card.status !== "active") {
    return `card_${card.status}`;
  }
  if (card.singleUse && card.held > ownHold) {
    return "single_use_spent";
  }
  return amount > card.balance - card.held ? "insufficient_funds" : null;
}
