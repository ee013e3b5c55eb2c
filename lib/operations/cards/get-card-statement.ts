import { z } from "zod";
import { cursor, limit } from "#lib/api/contract/fields.ts";
import { requireOnePeriod, statementPeriodOrMoment } from "#lib/api/contract/statement-period.ts";
import { statementPageSchema, CARD_STATEMENT } from "#lib/api/contract/statement.ts";
import { operation } from "#lib/operations/operation.ts";
import { IDS } from "#lib/api/contract/samples.ts";

export const getCardStatement = operation({
  id: "getCardStatement",
  method: "GET",
  path: "/cards/{id}/statement",
  summary: "Get a card's statement for a period, oldest line first",
  description:
    "As the float's statement: what the card had, what moved, and what was left. Holds and declines move nothing, so they are no lines of it.",
  kind: "read",
  scope: "cards:read",
  notFound: "card_not_found",
  query: z
    .strictObject({ ...statementPeriodOrMoment, limit, cursor: cursor.optional() })
    .check(requireOnePeriod),
  answer: statementPageSchema,
  examples: [
    { id: IDS.card, query: { month: "2026-11", limit: "15" }, answer: CARD_STATEMENT },
    { id: IDS.card, query: { at: "2026-11-21T08:00:00Z" } },
  ],
});
