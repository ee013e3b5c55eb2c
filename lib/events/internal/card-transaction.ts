import { z } from "zod";
import { merchantSchema, postingShape } from "#lib/api/contract/resources.ts";
import { IDS, PURCHASE } from "#lib/api/contract/samples.ts";
import { cardBalanceAfter, id, money, transactionReference } from "#lib/events/internal/members.ts";
import { TRANSACTION_STATUSES, TRANSACTION_TYPES } from "#lib/transactions/transaction-kinds.ts";
import type { Part } from "#lib/sentences/say.ts";
import type { Teller } from "#lib/sentences/teller.ts";

/** What the events of purchases carry. */
export const cardTransactionShape = {
  amount: money.describe(
    "The amount of this event, in minor units: for a partial capture, reversal, or refund, that of the part.",
  ),
  requested_amount: money.nullable(),
  card_id: id,
  type: z.enum(TRANSACTION_TYPES).describe("The type of the transaction, as it lists it."),
  currency: z.string().length(3),
  reference: transactionReference,
  status: z
    .enum(TRANSACTION_STATUSES)
    .describe("The status that the event tells of, as on the transaction."),
  narrative: z.string().nullable(),
  merchant: merchantSchema.nullable(),
  merchant_amount: money.nullable(),
  merchant_currency: z.string().length(3).nullable(),
  card_balance_after: cardBalanceAfter,
  authorization_id: id.nullable(),
  ...postingShape,
  refund_of: id.nullable().describe("For a refund: the id of the purchase. Null without one."),
  hold_remaining: money
    .nullable()
    .describe("What the authorization still holds, in minor units; 0 without one."),
};

/** A settled purchase. */
export const BOUGHT = {
  amount: PURCHASE.amount,
  requested_amount: null,
  card_id: IDS.card,
  type: "deduct",
  currency: "USD",
  reference: PURCHASE.id,
  status: "settled",
  narrative: PURCHASE.narrative,
  merchant: PURCHASE.merchant,
  merchant_amount: null,
  merchant_currency: null,
  card_balance_after: PURCHASE.card_balance_after,
  authorization_id: null,
  posted_as: "authorized",
  covered: null,
  refund_of: null,
  refund_exceeds: null,
  hold_remaining: null,
};

/** The start of a sentence about a verification, linked to it. */
export function toVerification(teller: Teller): Part {
  return { text: "A verification", href: `/transactions/${teller.text("reference")}` };
}

/** ` at Blue Bottle`; empty without a merchant. */
export function toMerchant({ after: { merchant } }: Teller): string {
  return typeof merchant === "object" && merchant !== null && "name" in merchant
    ? ` at ${String(merchant.name)}`
    : "";
}
