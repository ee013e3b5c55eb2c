import { z } from "zod";
import { time } from "#lib/api/contract/internal/answer-members.ts";
import { logSafe } from "#lib/base/log-safe.ts";
import { CARD_STATUSES, FREEZE_LEVELS, FREEZE_REASONS } from "#lib/cards/card-state.ts";

/** What a card's state is made of. */

export const cardStatus = logSafe(z.enum(CARD_STATUSES).meta({ id: "CardStatus" }));
export const freezeReason = logSafe(z.enum(FREEZE_REASONS).meta({ id: "FreezeReason" }));
export const freezeLevel = logSafe(z.enum(FREEZE_LEVELS).meta({ id: "FreezeLevel" }));

/** A change of a card's status, or of its freezes. */
export const stateChangeSchema = z.strictObject({
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
