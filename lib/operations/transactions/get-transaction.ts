import { z } from "zod";
import { transactionSchema } from "#lib/api/contract/transaction.ts";
import { operation } from "#lib/operations/operation.ts";
import { CREDIT, IDS } from "#lib/api/contract/samples.ts";

export const getTransaction = operation({
  id: "getTransaction",
  method: "GET",
  path: "/cards/transaction/{id}",
  summary: "Get a transaction",
  description: "The same as GET /transactions/{id}, with a message beside the data.",
  kind: "read",
  tagged: true,
  scope: "transactions:read",
  notFound: "transaction_not_found",
  answer: z.strictObject({ data: transactionSchema, message: z.literal("Ok") }),
  examples: [{ id: IDS.transaction, answer: { data: CREDIT, message: "Ok" } }],
});
