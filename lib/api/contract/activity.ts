import { z } from "zod";
import { cardStatus, freezeLevel, freezeReason } from "#lib/api/contract/card.ts";
import { actorSchema } from "#lib/api/contract/internal/actor.ts";
import { id, time } from "#lib/api/contract/internal/answer-members.ts";
import { IDS, KEY_ACTOR, REQUEST_ID, UPDATED_AT } from "#lib/api/contract/samples.ts";
import { transactionSchema } from "#lib/api/contract/transaction.ts";
import { logSafe } from "#lib/base/log-safe.ts";

/** What happened to a card, in answers. */

/** A change of a card's status, or of its freezes. */
const stateChangeSchema = z.strictObject({
  from: cardStatus.nullable().describe("The status before; null for a new card."),
  to: cardStatus.describe("The status after."),
  reason: freezeReason
    .nullable()
    .describe("The reason that was given for the freeze; null without one."),
  comment: z.string().nullable(),
  level: freezeLevel
    .nullable()
    .describe("Of the freeze that was made, changed, or lifted; null for anything else."),
  lifted: logSafe(z.boolean()).describe(
    "Whether the freeze of this level was lifted. Until no other stands, the card stays frozen.",
  ),
  until: time
    .nullable()
    .describe(
      "The end of a freeze that was made or changed, or the end at which it was lifted by itself. Null if there is none.",
    ),
});

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

/** A note on the card. */
export const NOTE = {
  id: IDS.note,
  type: "note",
  created_at: UPDATED_AT,
  actor: KEY_ACTOR,
  request_id: REQUEST_ID,
  state_change: null,
  transaction: null,
  refusal: null,
  note: {
    card_id: IDS.card,
    transaction_id: null,
    comment: "The cardholder sends the receipt on Monday.",
  },
};
