import { z } from "zod";
import { actorSchema } from "#lib/api/contract/internal/actor.ts";
import { transactionSchema } from "#lib/api/contract/transaction.ts";
import { currency, id, money, time } from "#lib/api/contract/internal/answer-members.ts";
import { coverOutstanding } from "#lib/api/contract/event-members.ts";
import {
  cardStatus,
  freezeLevel,
  freezeReason,
  stateChangeSchema,
} from "#lib/api/contract/states.ts";
import { logSafe } from "#lib/base/log-safe.ts";

/** The resources in answers. Every member is always present; a missing value is null. */

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
    cover_outstanding: coverOutstanding,
    metadata: z.record(z.string(), z.string()),
    created_at: time,
    updated_at: time,
  })
  .meta({ id: "Card" });

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
