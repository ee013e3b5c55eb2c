import { z } from "zod";
import { cursor, limit } from "#lib/api/contract/fields.ts";
import { transactionFilter } from "#lib/api/contract/filters.ts";
import { pageOf } from "#lib/api/contract/page.ts";
import { transactionSchema } from "#lib/api/contract/transaction.ts";
import { operation } from "#lib/operations/operation.ts";
import { CREDIT, IDS } from "#lib/api/contract/samples.ts";

export const listTransactions = operation({
  id: "listTransactions",
  method: "GET",
  path: "/transactions",
  summary: "List the transactions of all cards, newest first",
  description:
    "from and to take a time or a day; a day is one in UTC, and to includes it. type, status, and decline_reason take several values, separated by commas.",
  kind: "read",
  scope: "transactions:read",
  query: z.strictObject({
    ...transactionFilter,
    limit,
    cursor: cursor.optional(),
  }),
  answer: pageOf(transactionSchema),
  examples: [
    {
      query: { card_id: IDS.card, type: "credit,debit", from: "2026-11-01", limit: "15" },
      answer: { data: [CREDIT], next_cursor: null },
    },
  ],
});
