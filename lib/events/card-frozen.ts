import { z } from "zod";
import { cardSchema } from "#lib/api/contract/resources.ts";
import { freezeLevel, freezeReason } from "#lib/api/contract/states.ts";
import { FROZEN_CARD } from "#lib/api/contract/samples.ts";
import { FREEZE_REASON_NAMES, FREEZE_REASONS } from "#lib/cards/card-state.ts";
import { event } from "#lib/events/event.ts";
import { say } from "#lib/sentences/say.ts";
import type { Sentence } from "#lib/sentences/say.ts";
import type { Members, Teller } from "#lib/sentences/teller.ts";

export const cardFrozen = event({
  name: "card.frozen",
  order: 3,
  when: "A card was frozen, or a frozen card was given another freeze, reason, or end.",
  data: {
    schema: cardSchema
      .extend({
        amended: z.boolean().describe("Whether the card was frozen already."),
        given_reason: freezeReason
          .nullable()
          .describe("The reason that this freeze gave. freeze.reason is the gravest of all."),
        given_level: freezeLevel.describe(
          "The level of this freeze, beside which others may stand.",
        ),
      })
      .meta({ id: "FrozenCard" }),
    text: "the card, `amended`, `given_reason`, `given_level`",
  },
  example: {
    data: { ...FROZEN_CARD, amended: false, given_reason: "lost", given_level: "cardholder" },
    previous: { status: "active" },
  },
  actions: { "card.frozen": "Card frozen" },
  tell: tellFreeze,
  trigger: { needs: "active card", calls: [["cards.freeze", "$card"]] },
});

/** A further reason for a freeze replaces a milder one, and is noted beside a graver one. */
function tellFreeze(teller: Teller): Sentence {
  const { who, subject } = teller;
  const { amended, given, standing, comment } = readFreeze(teller);
  if (!amended) {
    return say`${who} froze ${subject}${toReason(standing, comment)}`;
  }
  return given === standing
    ? say`${who} gave the freeze of ${subject} a graver reason${toReason(given)}`
    : say`${who} noted another reason for the freeze of ${subject}${toReason(given)}, beside the graver one${toReason(standing)}`;
}

/** The event has the whole card, and the audit log what was asked for. `standing` is the gravest reason after it. */
function readFreeze({ before, after }: Teller) {
  if (typeof after["freeze"] === "object" && after["freeze"] !== null) {
    const { reason, comment }: Members = { reason: null, comment: null, ...after["freeze"] };
    return {
      amended: after["amended"] === true,
      given: after["given_reason"],
      standing: reason,
      comment,
    };
  }
  const { reason, comment, standing_reason: standing = reason } = after;
  return { amended: before["status"] === "frozen", given: reason, standing, comment };
}

/** `: lost`; a comment replaces "other". Empty without a reason. */
function toReason(reason: unknown, comment?: unknown): string {
  if (reason === "other" && typeof comment === "string" && comment !== "") {
    return `: “${comment}”`;
  }
  const known = FREEZE_REASONS.find((each) => each === reason);
  return known ? `: ${FREEZE_REASON_NAMES[known].toLowerCase()}` : "";
}
