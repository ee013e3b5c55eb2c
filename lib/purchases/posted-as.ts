import type { CardStatus } from "#lib/cards/card-state.ts";
import type { Transaction } from "#lib/transactions/transactions.ts";
import { POSTED_AS } from "#db/schema/posted-as.ts";
import type { PostedAs } from "#db/schema/posted-as.ts";

/** A purchase that the card network has posted. Amounts in minor units. */
export interface Posting {
  amount: number;
  /** `awaited`: the posting names an authorization that has not arrived. Null if it names none. */
  authorization:
    | (Pick<Transaction, "status"> & Partial<Pick<Transaction, "approvedBy">>)
    | "awaited"
    | null;
  /** What the authorization still holds. */
  open: number;
  /** Whether the authorization's deadline has passed. */
  expired: boolean;
  /** The card's. */
  status: CardStatus;
}

const APPLIES: Readonly<Record<PostedAs, (posting: Posting) => boolean>> = {
  without_authorization: ({ authorization }) => authorization === null,
  before_authorization: ({ authorization }) => authorization === "awaited",
  after_decline: (posting) => toStatus(posting) === "declined",
  after_reversal: (posting) => toStatus(posting) === "reversed",
  after_expiry: (posting) =>
    toStatus(posting) === "expired" || (posting.expired && posting.open > 0),
  // The card network approved it on our behalf, and our hold is less than the amount.
  stand_in: ({ authorization, amount, open }) =>
    authorization !== "awaited" && authorization?.approvedBy === "network" && amount > open,
  // A posting within the remaining hold was approved before the card was closed.
  after_close: ({ status, amount, open }) => status === "closed" && amount > open,
  over_authorization: ({ amount, open }) => amount > open,
  authorized: () => true,
};

function toStatus({ authorization }: Posting) {
  return authorization === "awaited" ? undefined : authorization?.status;
}

/** How the card network posted a purchase: the first value of `POSTED_AS` that applies. */
export function findPostedAs(posting: Posting): PostedAs {
  return POSTED_AS.find((each) => APPLIES[each](posting)) ?? "authorized";
}
