import { z } from "zod";
import { moment, verbatim } from "#lib/api/contract/fields.ts";
import { cardSchema, freezeLevel, CARD_FROZEN_TWICE, FROZEN_CARD } from "#lib/api/contract/card.ts";
import { logSafe } from "#lib/base/log-safe.ts";
import { FREEZE_DAYS_MAX, FREEZE_REASONS, REASONS_BY_SEVERITY } from "#lib/cards/card-state.ts";
import {
  FREEZE_TERM_ERRORS,
  OTHER_NEEDS_COMMENT,
  statusVersion,
} from "#lib/operations/cards/parts.ts";
import { operation } from "#lib/operations/operation.ts";
import { IDS } from "#lib/api/contract/samples.ts";

const freezeBody = z
  .strictObject({
    reason: logSafe(z.enum(FREEZE_REASONS))
      .nullable()
      .default(null)
      .describe(
        `On a frozen card, another reason amends the freeze; a milder one never replaces a graver one. From the mildest to the gravest: ${REASONS_BY_SEVERITY.join(", ")}.`,
      ),
    comment: verbatim.nullable().optional(),
    level: freezeLevel
      .optional()
      .describe(
        "Who may lift the freeze: by default, cardholder for API keys and staff for people. A freeze of a level that stands is changed.",
      ),
    until: moment
      .nullable()
      .optional()
      .describe(
        `When the freeze ends by itself, by the clock of the account: at most ${FREEZE_DAYS_MAX} days ahead. For a freeze that stands, null removes its end, and nothing keeps it.`,
      ),
    status_version: statusVersion,
  })
  .refine((body) => body.reason !== "other" || body.comment, {
    path: ["comment"],
    error: 'This field is required with the reason "other".',
  })
  .meta(OTHER_NEEDS_COMMENT);

export const freezeCard = operation({
  id: "freezeCard",
  method: "PATCH",
  path: "/cards/{id}/freeze",
  summary: "Freeze a card: every later transaction on it is declined",
  description:
    "Once this has answered 200, nothing that starts later is approved, until each freeze is lifted or has ended. Earlier authorizations can still be captured, up to what they hold; reversals and refunds still arrive. A card has at most one freeze of each level. Freezing a level that stands answers 200: with the same reason or none it changes nothing, and with another reason or another end it amends the freeze, which stands for the gravest reason. An earlier end needs the right to lift the freeze.",
  attempt: "freeze {card}",
  kind: "write",
  scope: "cards:freeze",
  since: "0.5.0",
  notFound: "card_not_found",
  body: freezeBody,
  answer: cardSchema,
  errors: [
    "card_closed",
    "card_status_changed",
    "clock_advancing",
    "freeze_not_liftable",
    ...FREEZE_TERM_ERRORS,
  ],
  examples: [
    {
      id: IDS.card,
      body: { reason: "lost", comment: "Reported by phone" },
      answer: FROZEN_CARD,
    },
    {
      needs: "frozen card",
      id: IDS.card,
      body: {
        level: "compliance",
        reason: "internal_review",
        comment: "Case 7",
        until: "2026-11-28T09:00:00Z",
      },
      answer: CARD_FROZEN_TWICE,
    },
  ],
});
