import { z } from "zod";
import { cursor, limit } from "#lib/api/contract/fields.ts";
import { requireOnePeriod, statementPeriodOrMoment } from "#lib/api/contract/statement-period.ts";
import { statementPageSchema, FLOAT_STATEMENT } from "#lib/api/contract/statement.ts";
import { operation } from "#lib/operations/operation.ts";

export const getFloatStatement = operation({
  id: "getFloatStatement",
  method: "GET",
  path: "/card-integrators/float-statement",
  summary: "Get the float's statement for a period, oldest line first",
  description:
    "Opening balance, totals, and closing balance of a day, week, month, or quarter of the account's time_zone, or of days of your own, with the lines between. With at, the balance at a moment.",
  kind: "read",
  scope: "account:read",
  query: z
    .strictObject({ ...statementPeriodOrMoment, limit, cursor: cursor.optional() })
    .check(requireOnePeriod),
  answer: statementPageSchema,
  examples: [
    { query: { month: "2026-11", limit: "15" }, answer: FLOAT_STATEMENT },
    { query: { at: "2026-11-21T08:00:00Z" } },
  ],
});
