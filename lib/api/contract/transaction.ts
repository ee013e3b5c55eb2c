import { z } from "zod";
import { currency, id, money, time } from "#lib/api/contract/internal/answer-members.ts";
import { actorSchema } from "#lib/api/contract/internal/actor.ts";
import { IDS, PURCHASE } from "#lib/api/contract/samples.ts";
import { cardBalanceAfter, transactionReference } from "#lib/api/contract/event-members.ts";
import { logSafe } from "#lib/base/log-safe.ts";
import { POSTED_AS } from "#db/schema/posted-as.ts";
import { DECLINE_REASONS } from "#lib/transactions/decline-rules.ts";
import { TRANSACTION_STATUSES, TRANSACTION_TYPES } from "#lib/transactions/transaction-kinds.ts";

export const merchantSchema = z
  .strictObject({
    name: z.string().describe("The merchant's name; Unknown merchant if the network sent none."),
    mcc: z
      .string()
      .nullable()
      .describe("The merchant category of ISO 18245, four digits; null if it is not known."),
    city: z.string().nullable(),
    country: z
      .string()
      .nullable()
      .describe("The merchant's country, as an ISO 3166-1 code; null if it is not known."),
  })
  .meta({ id: "Merchant" });

const AS_RECEIVED = z.record(z.string(), z.string()).nullable();

const authorizedAsSchema = z
  .strictObject({
    narrative: z.string().nullable(),
    merchant: merchantSchema.nullable(),
    as_received: AS_RECEIVED.describe(
      "What came for each member of the authorization that had to be cleaned; null if none had to be.",
    ),
    merchant_amount: money.nullable(),
    merchant_currency: currency.nullable(),
    occurred_at: time.nullable(),
  })
  .meta({ id: "AuthorizedAs" });

const holdSchema = z
  .strictObject({
    amount: money.describe(
      "What was held in all, increments included, in minor units, as are the other amounts here.",
    ),
    captured: money.describe("How much of the hold has been captured."),
    released: money.describe("How much was released by reversals, at the end, or at expiry."),
    remaining: money.describe("How much is still held."),
    expires_at: time.describe("When what remains is released, by the clock of the account."),
  })
  .meta({ id: "Hold" });

/** How the card network posted a purchase or a refund, in transactions and their events. */
export const postingShape = {
  posted_as: logSafe(z.enum(POSTED_AS).meta({ id: "PostedAs" }))
    .nullable()
    .describe(
      "How the card network posted a settled purchase: authorized, or why not. before_authorization: its authorization had not arrived. stand_in: more than is held of what the network approved in our place. Null for anything else.",
    ),
  covered: z
    .strictObject({
      float: money.describe("What the float paid, in minor units."),
      deficit: money.describe("What is owed, in minor units."),
    })
    .meta({ id: "Covered" })
    .nullable()
    .describe(
      "Who paid of a purchase what its card could not pay. Null if the card paid all of it.",
    ),
  refund_exceeds: logSafe(z.boolean())
    .nullable()
    .describe(
      "Whether a refund is more than was left of its purchase, or has none. Null for anything else.",
    ),
};

const adviceShape = {
  approved_by: logSafe(z.enum(["network"]))
    .nullable()
    .describe(
      "network: the card network approved this authorization in our place. Null for anything else.",
    ),
  overruled_decline: logSafe(z.string())
    .nullable()
    .describe(
      "The decline_reason that the card's rules would have given to what the network approved. Null if none, and for anything else.",
    ),
};

const takesBack = id
  .nullable()
  .describe(
    "The purchase or the refund that the card network has taken back with this one. Null for anything else.",
  );

export const transactionSchema = z
  .strictObject({
    id,
    card_id: id,
    type: logSafe(z.enum(TRANSACTION_TYPES).meta({ id: "TransactionType" })).describe(
      "credit and debit: funds moved between float and card. deduct: a purchase, or a refund that was taken back. deduct-reversal: a refund, or a purchase that was taken back. verification: the card was checked, and no funds moved.",
    ),
    status: logSafe(z.enum(TRANSACTION_STATUSES).meta({ id: "TransactionStatus" })).describe(
      "authorized: approved, and its funds are held. captured: approved after its captures had come, and nothing is held; they moved the funds. settled: its funds have moved. declined: refused, for decline_reason. reversed and expired: the hold was released before anything was captured.",
    ),
    amount: money.describe(
      "The amount, in minor units of currency, never negative: type says which way it moved. For an authorization, what its first capture took, or before that, what was approved.",
    ),
    requested_amount: money.nullable(),
    currency,
    conversion_rate: z.literal(1).describe("Always 1: amounts are in the card's currency."),
    card_balance_before: money.describe(
      "The card's balance before this transaction moved funds, in minor units; the same as card_balance_after while it has moved none.",
    ),
    card_balance_after: money.describe(
      "The card's balance after this transaction moved funds, in minor units, holds included.",
    ),
    narrative: z.string().nullable(),
    merchant: merchantSchema.nullable(),
    as_received: AS_RECEIVED.describe(
      "What the card network sent for each member that had to be cleaned, such as merchant.country; null if none had to be.",
    ),
    merchant_amount: money.nullable(),
    merchant_currency: currency.nullable(),
    authorized_as: authorizedAsSchema
      .nullable()
      .describe(
        "What the authorization said, where the clearing says something else of the purchase. Decisions were made on this. Null if both say the same.",
      ),
    decline_reason: logSafe(z.string())
      .nullable()
      .describe(
        `Why it was declined: the first applicable of ${DECLINE_REASONS.join(", ")}. Null unless it was.`,
      ),
    decline_explanation: z
      .string()
      .nullable()
      .describe("What was wrong, and what to do about it. Null unless it was declined."),
    ...adviceShape,
    authorization_id: id.nullable(),
    increment_of: id.nullable(),
    ...postingShape,
    cover_of: id.nullable(),
    refund_of: id
      .nullable()
      .describe(
        "For a refund: the id of the purchase it refunds, the first of several. Null without one.",
      ),
    refunded: money.describe(
      "How much of a purchase has been refunded, in minor units, without refunds that were taken back.",
    ),
    takes_back: takesBack,
    taken_back: money.describe(
      "The whole amount once the card network has taken it back, in minor units; 0 otherwise.",
    ),
    hold: holdSchema.nullable().describe("Set for an authorization; null for anything else."),
    actor: actorSchema,
    created_at: time,
    occurred_at: time.nullable(),
    settled_at: time
      .nullable()
      .describe("When it first moved funds; null while it has not, and for a decline."),
  })
  .meta({ id: "Transaction" });

/** The members of purchases' events. */
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
  ...adviceShape,
  authorization_id: id.nullable(),
  increment_of: id.nullable(),
  ...postingShape,
  refund_of: id.nullable().describe("For a refund: the id of the purchase. Null without one."),
  takes_back: takesBack,
  hold_remaining: money
    .nullable()
    .describe("What the authorization still holds, in minor units; 0 without one."),
  occurred_at: time.nullable(),
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
  approved_by: null,
  overruled_decline: null,
  authorization_id: null,
  increment_of: null,
  posted_as: "authorized",
  covered: null,
  refund_of: null,
  refund_exceeds: null,
  takes_back: null,
  hold_remaining: null,
  occurred_at: null,
};
