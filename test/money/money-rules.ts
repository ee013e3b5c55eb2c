/** What the model of money knows of cards, authorizations, and purchases, and by which rules it decides. */

/** The default life of an authorization. */
export const HOLD_LIFE_DAYS = 7;

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
  /** Why it was declined. */
  reason: string | null;
  /** The day on which it expires. */
  dueOn: number;
  /** The ended authorization that it increased. */
  increases?: string;
}

export interface Wanted {
  amount: number;
  /** The reason for which the sandbox is to decline it, if any. */
  forced: string | null;
}

export interface Purchase {
  name: string;
  card: number;
  amount: number;
  /** What float and deficit paid of it. */
  covered: number;
  /** What of that has not been given back. */
  coverLeft: number;
  refunded: number;
  takenBack: boolean;
}

export interface Refund {
  name: string;
  card: number;
  amount: number;
  purchase: Purchase | undefined;
  takenBack: boolean;
  /** What covered it when it was taken back, and has not been given back. */
  coverLeft: number;
}

/** A capture of an authorization. Unless it insists, a capture that is probably a mistake is refused. */
export interface Captured {
  of: string;
  amount: number | null;
  final: boolean;
  insists: boolean;
}

/** The expected result of an act: a refusal's code, a decline's reason, or null for success. */
export type Expected = { refused: string } | { declined: string } | null;

export const refused = (code: string): Expected => ({ refused: code });

export function toOpen({ amount, captured, released, state }: Authorization): number {
  return state === "declined" ? 0 : amount - captured - released;
}

/** How much of an amount beyond its hold the card cannot pay. Only an active card pays anything beyond its hold. */
export function toMissing(card: ModelCard, amount: number): number {
  const available = card.status === "active" ? card.balance - card.held : 0;
  return Math.max(0, amount - available);
}

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

/** Why a test is refused a capture that the card cannot pay. */
export function toUnintended({ status }: ModelCard): string {
  return status === "active" ? "insufficient_card_balance" : "capture_exceeds_authorization";
}
