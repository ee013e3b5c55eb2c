import type { CardStatus } from "#lib/cards/card-state.ts";
import type { Transaction } from "#lib/transactions/transactions.ts";
import { POSTED_AS } from "#db/schema/posted-as.ts";
import type { PostedAs } from "#db/schema/posted-as.ts";

/** A purchase that the card network has posted. Amounts in minor units. */
export interface Posting {
  amount: number;
  /** Null when there was none. */
  authorization: Pick<Transaction, "status"> | null;
  /** What the authorization still holds. */
  open: number;
  /** Whether the authorization's deadline has passed. */
  expired: boolean;
  /** The card's. */
  status: CardStatus;
}

const APPLIES: Readonly<Record<PostedAs, (posting: Posting) => boolean>> = {
  without_authorization: ({ authorization }) => authorization === null,
  after_decline: ({ authorization }) => authorization?.status === "declined",
  after_reversal: ({ authorization }) => authorization?.status === "reversed",
  after_expiry: ({ authorization, expired, open }) =>
    authorization?.status === "expired" || (expired && open > 0),
  // What it still holds was approved, so that much is authorized.
  after_close: ({ status, amount, open }) => status === "closed" && amount > open,
  over_authorization: ({ amount, open }) => amount > open,
  authorized: () => true,
};

/** How the card network posted a purchase: the first that applies. */
export function findPostedAs(posting: Posting): PostedAs {
  return POSTED_AS.find((each) => APPLIES[each](posting)) ?? "authorized";
}
