import { z } from "zod";
import { cursor, limit, page } from "#lib/api/contract/fields.ts";
import { transactionKindFilter } from "#lib/api/contract/filters.ts";
import { transactionSchema } from "#lib/api/contract/transaction.ts";
import { logSafe } from "#lib/base/log-safe.ts";
import { operation } from "#lib/operations/operation.ts";
import { CREDIT, IDS } from "#lib/api/contract/samples.ts";

export const listCardTransactions = operation({
  id: "listCardTransactions",
  method: "GET",
  path: "/cards/{id}/transactions",
  summary: "List a card's transactions, newest first",
  description: "Page by number or by cursor; a cursor is as fast on every page.",
  kind: "read",
  scope: "transactions:read",
  notFound: "card_not_found",
  query: z.strictObject({ ...transactionKindFilter, limit, page, cursor: cursor.optional() }),
  answer: z.strictObject({
    data: z.array(transactionSchema),
    message: z.literal("Ok"),
    next_page: logSafe(z.int())
      .nullable()
      .describe("The number of the next page; null on the last page."),
    next_cursor: z.string().nullable(),
  }),
  examples: [
    {
      id: IDS.card,
      query: { type: "credit,deduct", status: "settled", from: "2026-11-01", limit: "15" },
      answer: { data: [CREDIT], message: "Ok", next_page: null, next_cursor: null },
    },
  ],
});
