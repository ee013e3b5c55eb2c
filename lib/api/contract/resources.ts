import { z } from "zod";
import { currency, id, money, time } from "#lib/api/contract/internal/answer-members.ts";
import {
  cardStatus,
  freezeLevel,
  freezeReason,
  stateChangeSchema,
} from "#lib/api/contract/states.ts";
import { logSafe } from "#lib/base/log-safe.ts";
import { POSTED_AS } from "#db/schema/posted-as.ts";
import { DECLINE_REASONS } from "#lib/transactions/decline-rules.ts";
import { TRANSACTION_STATUSES, TRANSACTION_TYPES } from "#lib/transactions/transaction-kinds.ts";

/** The resources in answers. Every member is always present; a missing value is null. */

export const actorSchema = z
  .strictObject({
    type: logSafe(z.enum(["api_key", "staff", "processor", "system"])).describe(
      "api_key: a request with an API key. staff: a signed-in person. processor: the card network. system: the server itself, for example at a deadline.",
    ),
    id: id
      .nullable()
      .describe(
        "The id of the API key, also that of the card network, or of the person; null for the server.",
      ),
    name: z.string().describe("Their name as it was then."),
  })
  .meta({ id: "Actor" });

const freezeSchema = z
  .strictObject({
    frozen_at: time.describe("When the card was frozen; another reason does not change it."),
    reason: freezeReason
      .nullable()
      .describe(
        "The gravest reason that the freeze was given; comment and actor belong to it. Null if none was given.",
      ),
    comment: z.string().nullable(),
    actor: actorSchema,
    level: freezeLevel.describe("Who may lift it: a card has at most one freeze of each level."),
    until: time
      .nullable()
      .describe("When it ends by itself, by the clock of the account; null if it does not."),
  })
  .meta({ id: "CardFreeze" });

export const cardSchema = z
  .strictObject({
    id,
    business_id: id.describe("The id of the account that issued the card."),
    user_id: id,
    card_name: z
      .string()
      .describe("The cardholder's name when the card was created, as it is printed on the card."),
    card_number: z.string().describe("Masked: the first six and the last four digits."),
    last4: z.string().describe("The last four digits of the card number."),
    card_type: z.literal("virtual").describe("Every card is virtual."),
    currency,
    cvv2: z.null().describe("Always null: the server never has the security code."),
    design_type: z.string(),
    expiry: time.describe(
      "When the card expires, by the clock of the account. From then on, purchases are declined with card_expired.",
    ),
    valid: z.string().describe("The month and year of expiry as a card shows them: MM/YY."),
    single_use: logSafe(z.boolean()),
    provider: z
      .string()
      .describe("Who processes the card's purchases, such as sandbox for a simulated network."),
    status: cardStatus.describe(
      "active: purchases are decided. frozen: every purchase is declined until it is unfrozen. closed: for good.",
    ),
    status_version: logSafe(z.int()).describe(
      "Increases by 1 with each freeze, each change of one, each lift, and when the card is closed. Balances do not affect it.",
    ),
    freeze: freezeSchema
      .nullable()
      .describe("The gravest of its freezes; null unless the card is frozen."),
    freezes: z
      .array(freezeSchema)
      .describe("All freezes that stand, the gravest first. The card is frozen while any does."),
    balance: money.describe("The funds on the card, in minor units of currency, holds included."),
    held: money.describe("What open authorizations hold, in minor units of currency."),
    available: money,
    metadata: z.record(z.string(), z.string()),
    created_at: time,
    updated_at: time,
  })
  .meta({ id: "Card" });

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

/** How the card network posted a purchase or a refund, as transactions and their events say it. */
export const postingShape = {
  posted_as: logSafe(z.enum(POSTED_AS).meta({ id: "PostedAs" }))
    .nullable()
    .describe(
      "How the card network posted a settled purchase: authorized, or why not. Null for anything else.",
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

export const transactionSchema = z
  .strictObject({
    id,
    card_id: id,
    type: logSafe(z.enum(TRANSACTION_TYPES).meta({ id: "TransactionType" })).describe(
      "credit and debit: funds moved between float and card. deduct: a purchase. deduct-reversal: a refund. verification: the card was checked, and no funds moved.",
    ),
    status: logSafe(z.enum(TRANSACTION_STATUSES).meta({ id: "TransactionStatus" })).describe(
      "authorized: approved, and its funds are held. settled: its funds have moved. declined: refused, for decline_reason. reversed and expired: the hold was released before anything was captured.",
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
    as_received: z
      .record(z.string(), z.string())
      .nullable()
      .describe(
        "What the card network sent for each member of narrative and merchant that had to be cleaned, such as merchant.country; null if none had to be.",
      ),
    merchant_amount: money.nullable(),
    merchant_currency: currency.nullable(),
    decline_reason: logSafe(z.string())
      .nullable()
      .describe(
        `Why it was declined: the first applicable of ${DECLINE_REASONS.join(", ")}. Null unless it was.`,
      ),
    decline_explanation: z
      .string()
      .nullable()
      .describe("What was wrong, and what to do about it. Null unless it was declined."),
    authorization_id: id.nullable(),
    ...postingShape,
    cover_of: id.nullable(),
    refund_of: id
      .nullable()
      .describe("For a refund: the id of the purchase it refunds. Null without one."),
    refunded: money.describe("How much of a purchase has been refunded, in minor units."),
    hold: holdSchema.nullable().describe("Set for an authorization; null for anything else."),
    actor: actorSchema,
    created_at: time,
    settled_at: time
      .nullable()
      .describe("When it first moved funds; null while it has not, and for a decline."),
  })
  .meta({ id: "Transaction" });

export const clockSchema = z
  .strictObject({
    now: time.describe("The time by which the deadlines of this account are set and compared."),
    offset_seconds: logSafe(z.int()).describe(
      "How far the clock is ahead of real time, at whose pace it runs; 0 for real time.",
    ),
    advancing_to: time
      .nullable()
      .describe("The time to which the clock is being moved at present; null when it is not."),
  })
  .meta({ id: "SandboxClock" });

export const activitySchema = z
  .strictObject({
    id,
    type: logSafe(z.enum(["state_change", "transaction", "refused_attempt", "note"])).describe(
      "Which of state_change, transaction, refusal (for a refused_attempt), and note is set.",
    ),
    created_at: time,
    actor: actorSchema.nullable().describe("Who did it; null for a request of nobody known."),
    request_id: z.string(),
    state_change: stateChangeSchema
      .nullable()
      .describe("A change of the card's status, or of its freezes; null otherwise."),
    transaction: transactionSchema
      .nullable()
      .describe("A transaction, as it is now; null otherwise."),
    refusal: z
      .strictObject({
        operation: logSafe(z.string()).nullable(),
        status: logSafe(z.int()).describe("The HTTP status of the refusal."),
        code: logSafe(z.string()).nullable().describe("The error code of the refusal."),
        detail: z.string().nullable().describe("What was wrong with the request, in a sentence."),
      })
      .nullable()
      .describe("A request on this card that was refused; null otherwise."),
    note: z
      .strictObject({
        card_id: id,
        transaction_id: id
          .nullable()
          .describe("The transaction that it is about; null for a note on the card itself."),
        comment: z
          .string()
          .nullable()
          .describe("What was written; null once the cardholder is erased."),
      })
      .nullable()
      .describe("A note on the card or on one of its transactions; null otherwise."),
  })
  .meta({ id: "Activity" });

/** A paginated list whose cursor names the next page. */
export function pageOf<Row extends z.ZodType>(row: Row) {
  return z.strictObject({ data: z.array(row), next_cursor: z.string().nullable() });
}

export const problemSchema = z
  .strictObject({
    type: logSafe(z.string()).describe(
      "Where the code is explained, below the server's address: /docs/errors#insufficient_float.",
    ),
    title: logSafe(z.string()).describe("What the code means, in a few words."),
    status: logSafe(z.int()).describe("The HTTP status of this answer."),
    detail: z.string().describe("What was wrong with this request, in a sentence."),
    instance: z.string().describe("The path of this request."),
    code: logSafe(z.string()).describe("The error code. Decide by it, never by the texts."),
    request_id: logSafe(z.string()).describe(
      "The X-Request-Id of this answer. Name it to support.",
    ),
    message: logSafe(z.string()).describe("What older clients read. It tells fewer cases apart."),
    errors: z
      .record(z.string(), z.union([z.array(z.string()), z.string()]))
      .optional()
      .describe(
        "What is wrong with each member or parameter, by its path; absent if the fault is in none of them.",
      ),
  })
  .meta({ id: "Problem" });
