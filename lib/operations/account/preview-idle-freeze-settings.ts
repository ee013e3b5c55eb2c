import { z } from "zod";
import { idleFreezeQuery, PREVIEWED_CARDS, previewedCards } from "#lib/api/contract/freeze-rule.ts";
import { operation } from "#lib/operations/operation.ts";

export const previewIdleFreezeSettings = operation({
  id: "previewIdleFreezeSettings",
  method: "GET",
  path: "/card-integrators/settings/idle-freeze-preview",
  summary: "Preview idle freezes",
  description:
    "Counts the active cards that idle_freeze_days of this many days would have frozen 24 hours from now, by the clock of the account, if nobody uses them until then. Nothing changes.",
  kind: "read",
  scope: "account:read",
  query: idleFreezeQuery,
  answer: z.strictObject({
    data: z.strictObject({
      cards: z.int().describe("How many cards would be frozen by then."),
      first: previewedCards,
    }),
  }),
  examples: [
    { query: { idle_freeze_days: "90" }, answer: { data: { cards: 1, first: PREVIEWED_CARDS } } },
  ],
});
