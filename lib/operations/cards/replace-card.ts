import { z } from "zod";
import { verbatim } from "#lib/api/contract/fields.ts";
import { cardSchema, REPLACEMENT } from "#lib/api/contract/card.ts";
import { logSafe } from "#lib/base/log-safe.ts";
import { operation } from "#lib/operations/operation.ts";
import { IDS } from "#lib/api/contract/samples.ts";

export const replaceCard = operation({
  id: "replaceCard",
  method: "POST",
  path: "/cards/{id}/replace",
  summary: "Replace a lost or stolen card with a new one, and close it",
  description:
    "The new card has the same cardholder, name, design, metadata, and spending controls, whose limits start anew, and is valid for as many days as the old one was, from now on. Its number is a new one. The old card is closed, unless it already is. Open authorizations stay on it and can still be captured; what is released of them goes to the float. A card can be replaced once, and not while a freeze of it stands that you may not lift: one of the level compliance needs the scope cards:lift, even if the card was closed under it.",
  attempt: "replace {card}",
  kind: "write",
  scope: "cards:write",
  approval: "amount",
  notFound: "card_not_found",
  body: z.strictObject({
    move_balance: logSafe(z.boolean())
      .default(false)
      .describe(
        "Whether what is available on the old card moves to the new one: a debit of the old card, and a credit of the new one. Otherwise it returns to the float. Needs the scope funds:write, too.",
      ),
    comment: verbatim
      .nullable()
      .default(null)
      .describe("Why the old card is closed, in your own words, at most 255 characters."),
  }),
  status: 201,
  answer: z.strictObject({ data: cardSchema }),
  errors: [
    "card_replaced",
    "freeze_not_liftable",
    "single_use_spent",
    "user_archived",
    "user_erased",
    "balance_limit_exceeded",
    "insufficient_float",
    "books_unbalanced",
    "clock_advancing",
  ],
  examples: [
    {
      needs: "frozen card",
      id: IDS.card,
      body: { move_balance: true, comment: "Stolen" },
      answer: { data: REPLACEMENT },
    },
  ],
});
