import { z } from "zod";
import { autoFreezeQuery, PREVIEWED_CARDS, previewedCards } from "#lib/api/contract/freeze-rule.ts";
import { operation } from "#lib/operations/operation.ts";
import { PREVIEW_DAYS } from "#lib/transactions/auto-freeze.ts";

export const previewAutoFreezeSettings = operation({
  id: "previewAutoFreezeSettings",
  method: "GET",
  path: "/card-integrators/settings/auto-freeze-preview",
  summary: "Preview automatic freezes",
  description: `Counts the cards that auto_freeze with these members would have frozen in the last ${PREVIEW_DAYS} days, by the declines that were recorded. Nothing changes.`,
  kind: "read",
  scope: "account:read",
  query: autoFreezeQuery,
  answer: z.strictObject({
    data: z.strictObject({
      days: z.int().describe("How many days were looked at, by the clock of the account."),
      cards: z.int().describe("How many cards would have been frozen in that time."),
      first: previewedCards,
    }),
  }),
  examples: [
    {
      query: { declines: "3", within_minutes: "10", reasons: "insufficient_funds" },
      answer: { data: { days: PREVIEW_DAYS, cards: 1, first: PREVIEWED_CARDS } },
    },
    { query: { declines: "5", within_minutes: "60" } },
  ],
});
