import { z } from "zod";
import { cardSchema, freezeLevel, freezeReason, FROZEN_CARD } from "#lib/api/contract/card.ts";
import { freezeRuleSchema } from "#lib/api/contract/freeze-rule.ts";
import { FREEZE_REASON_NAMES, FREEZE_REASONS, toLevelName } from "#lib/cards/card-state.ts";
import { event } from "#lib/events/event.ts";
import { say } from "#lib/sentences/say.ts";
import type { Sentence } from "#lib/sentences/say.ts";
import type { Members, EventFormatter } from "#lib/sentences/event-formatter.ts";

export const cardFrozen = event({
  name: "card.frozen",
  order: 3,
  when: "A card was frozen, or a frozen card was given another freeze, reason, or end.",
  data: cardSchema
    .extend({
      amended: z.boolean().describe("Whether the card was frozen already."),
      given_reason: freezeReason
        .nullable()
        .describe("The reason that this freeze gave. freeze.reason is the gravest of all."),
      given_level: freezeLevel.describe("The level of this freeze, beside which others may stand."),
      rule: freezeRuleSchema
        .nullable()
        .describe(
          "The setting of the account that made this freeze, as it was then. Null if somebody asked for it.",
        ),
    })
    .meta({ id: "FrozenCard" }),
  example: {
    data: {
      ...FROZEN_CARD,
      amended: false,
      given_reason: "lost",
      given_level: "cardholder",
      rule: null,
    },
    previous: { status: "active" },
  },
  actions: { "card.frozen": "Card frozen" },
  format: formatFreeze,
  trigger: { needs: "active card", calls: [["cards.freeze", "$card"]] },
});

/** `amended` means that the card was frozen already: it was given another freeze, or one of its freezes changed. */
function formatFreeze(formatter: EventFormatter): Sentence {
  const { who, subject } = formatter;
  const { amended, reason, comment, level } = readFreeze(formatter);
  return amended
    ? say`${who} set the ${toLevelName(level)} freeze of ${subject}${toReason(reason)}`
    : say`${who} froze ${subject}${toReason(reason, comment)}`;
}

/** An event carries the whole card; an audit entry, only what the request asked for. */
function readFreeze({ before, after }: EventFormatter) {
  if (typeof after["freeze"] === "object" && after["freeze"] !== null) {
    const { comment }: Members = { comment: null, ...after["freeze"] };
    const { amended, given_reason: reason, given_level: level } = after;
    return { amended, reason, comment, level };
  }
  const { reason, comment, level } = after;
  return { amended: before["status"] === "frozen", reason, comment, level };
}

/** `: lost`; a comment replaces "other". Empty without a reason. */
function toReason(reason: unknown, comment?: unknown): string {
  if (reason === "other" && typeof comment === "string" && comment !== "") {
    return `: “${comment}”`;
  }
  const known = FREEZE_REASONS.find((each) => each === reason);
  return known ? `: ${FREEZE_REASON_NAMES[known].toLowerCase()}` : "";
}
