import { z } from "zod";
import { transactionSchema } from "#lib/api/contract/transaction.ts";
import { operation } from "#lib/operations/operation.ts";
import { CREDIT, IDS } from "#lib/api/contract/samples.ts";

export const getTransactionById = operation({
  id: "getTransactionById",
  method: "GET",
  path: "/transactions/{id}",
  summary: "Get a transaction by its id",
  description: "A transaction of any card of the account.",
  kind: "read",
  tagged: true,
  scope: "transactions:read",
  notFound: "transaction_not_found",
  answer: z.strictObject({ data: transactionSchema }),
  examples: [{ id: IDS.transaction, answer: { data: CREDIT } }],
});
