import { z } from "zod";
import { requireOnePeriod, statementPeriod } from "#lib/api/contract/statement-period.ts";
import { csv, linked } from "#lib/operations/exports/parts.ts";
import { STATEMENT_COLUMNS, toFile } from "#lib/operations/exports/samples.ts";
import { operation } from "#lib/operations/operation.ts";
import { CARD } from "#lib/api/contract/card.ts";
import { IDS, REQUEST_ID } from "#lib/api/contract/samples.ts";

export const exportCardStatement = operation({
  id: "exportCardStatement",
  method: "GET",
  path: "/exports/cards/{id}/statement",
  summary: "Export the lines of a card's statement for a period as CSV, oldest first",
  description:
    "The sum of net is the closing balance minus the opening balance. Amounts are in the major unit; times have the offset of the account's time_zone.",
  kind: "read",
  scope: "cards:read",
  notFound: "card_not_found",
  query: z.strictObject({ ...linked, ...statementPeriod }).check(requireOnePeriod),
  answer: csv,
  examples: [
    {
      id: IDS.card,
      query: { month: "2026-11" },
      answer: toFile(
        STATEMENT_COLUMNS,
        `1,2026-11-21,Funded from the float,20.00,20.00,USD,${CARD.updated_at},card_credit,"=""${CARD.last4}""",,,${CARD.id},${IDS.transaction},${IDS.transfer},${REQUEST_ID},`,
      ),
    },
  ],
});
