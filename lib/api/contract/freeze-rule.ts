import { z } from "zod";
import { namedCard } from "#lib/api/contract/internal/named-card.ts";
import { IDS } from "#lib/api/contract/samples.ts";
import { oneOrMore } from "#lib/api/contract/filters.ts";
import { logSafe } from "#lib/base/log-safe.ts";
import { AUTO_FREEZE_LIMITS } from "#lib/transactions/auto-freeze.ts";
import { IDLE_FREEZE_DAYS } from "#lib/cards/idle-due.ts";
import { COUNTED_REASONS } from "#lib/transactions/decline-rules.ts";

/** The settings that freeze cards automatically, in the account, in changes of it, and in the events of freezes. */

interface Limits {
  min: number;
  max: number;
}

const toLimitText = ({ min, max }: Limits) =>
  `This field must be a whole number from ${min} to ${max}.`;

function within({ min, max }: Limits) {
  const sentence = toLimitText({ min, max });
  return logSafe(z.int(sentence).min(min, sentence).max(max, sentence));
}

/** The same in a query. */
function textWithin({ min, max }: Limits) {
  const sentence = toLimitText({ min, max });
  return z
    .string()
    .regex(/^[0-9]{1,4}$/u, sentence)
    .transform(Number)
    .pipe(within({ min, max }))
    .meta({ document: { type: "integer", minimum: min, maximum: max } });
}

const REASONS = `This field must be null or a list of one or more of ${COUNTED_REASONS.join(", ")}.`;

const DECLINES = "How many declines freeze a card.";
const WITHIN_MINUTES = "Within how many minutes they must come, by the clock of the account.";

export const autoFreezeSchema = z
  .strictObject({
    declines: within(AUTO_FREEZE_LIMITS.declines).describe(DECLINES),
    within_minutes: within(AUTO_FREEZE_LIMITS.within_minutes).describe(WITHIN_MINUTES),
    reasons: logSafe(
      z
        .array(logSafe(z.enum(COUNTED_REASONS, REASONS)), REASONS)
        .min(1, REASONS)
        .max(COUNTED_REASONS.length, REASONS),
    )
      .nullable()
      .describe("The decline reasons that count; null for all of them."),
  })
  .meta({ id: "AutoFreeze" });

export const autoFreeze = autoFreezeSchema
  .nullable()
  .describe(
    "Freezes a card by itself, at the level staff and with the reason too_many_declines, with the decline that completes the count. Declines that were forced, of a frozen or closed card, with integrator_suspended, or with reversed_before do not count, and a lift starts the count anew. Null to freeze none.",
  );

/** The same rule in a query. */
export const autoFreezeQuery = z.strictObject({
  declines: textWithin(AUTO_FREEZE_LIMITS.declines).describe(DECLINES),
  within_minutes: textWithin(AUTO_FREEZE_LIMITS.within_minutes).describe(WITHIN_MINUTES),
  reasons: oneOrMore(COUNTED_REASONS)
    .optional()
    .describe("The decline reasons that count. Default: all of them."),
});

const IDLE_DAYS = within(IDLE_FREEZE_DAYS);

export const idleFreezeDays = IDLE_DAYS.nullable().describe(
  "After how many days without use an active card freezes by itself, at the level cardholder and with the reason inactivity, by the clock of the account. A card is used when it is created or made active, and by an approved purchase, a credit, or a debit. Null to freeze none.",
);

/** The same in a query. */
export const idleFreezeQuery = z.strictObject({
  idle_freeze_days: textWithin(IDLE_FREEZE_DAYS).describe(
    "After how many days without use a card would be frozen.",
  ),
});

export const freezeRuleSchema = z
  .strictObject({
    auto_freeze: autoFreezeSchema
      .nullable()
      .describe("The auto_freeze whose count was completed; null for an idle card."),
    idle_freeze_days: IDLE_DAYS.nullable().describe(
      "The idle_freeze_days after which the card was idle; null for repeated declines.",
    ),
  })
  .meta({ id: "FreezeRule" });

export const AUTO_FREEZE = { declines: 3, within_minutes: 10, reasons: ["insufficient_funds"] };

/** The cards of a preview, in answers. */
export const previewedCards = z.array(z.strictObject(namedCard)).describe("The first 50 of them.");

export const PREVIEWED_CARDS = [{ card_id: IDS.card, card_name: "Kofi Mensah", last4: "4242" }];
