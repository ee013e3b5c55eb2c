import { z } from "zod";
import { cursor, limit, moment, page, text } from "#lib/api/contract/fields.ts";
import { operation } from "#lib/api/contract/operation.ts";
import { pageOf, transactionSchema } from "#lib/api/contract/resources.ts";
import { idSchema } from "#lib/id-schema.ts";
import { TRANSACTION_STATUSES, TRANSACTION_TYPES } from "#lib/transaction-kinds.ts";

export const listCardTransactions = operation({
  id: "listCardTransactions",
  method: "GET",
  path: "/cards/{id}/transactions",
  summary: "List a card's transactions, newest first",
  kind: "read",
  scope: "transactions:read",
  notFound: "card_not_found",
  query: z.strictObject({ limit, page, cursor: cursor.optional() }),
  answer: z.strictObject({
    data: z.array(transactionSchema),
    message: z.literal("Ok"),
    next_page: z.int().nullable(),
    next_cursor: z.string().nullable(),
  }),
});

export const getTransaction = operation({
  id: "getTransaction",
  method: "GET",
  path: "/cards/transaction/{id}",
  summary: "Show a transaction",
  kind: "read",
  scope: "transactions:read",
  notFound: "transaction_not_found",
  answer: z.strictObject({ data: transactionSchema, message: z.literal("Ok") }),
});

export const listTransactions = operation({
  id: "listTransactions",
  method: "GET",
  path: "/transactions",
  summary: "List the transactions of all cards, newest first",
  kind: "read",
  scope: "transactions:read",
  query: z.strictObject({
    card_id: idSchema.optional(),
    type: z.enum(TRANSACTION_TYPES).optional(),
    status: z.enum(TRANSACTION_STATUSES).optional(),
    from: moment.optional(),
    to: moment.optional(),
    search: text().optional(),
    limit,
    cursor: cursor.optional(),
  }),
  answer: pageOf(transactionSchema),
});
