import { getTransaction as operation } from "#lib/operations/transactions/get-transaction.ts";
import { serve } from "#lib/api/edge/serve.ts";
import { toTransactionResource } from "#lib/transactions/transaction-resource.ts";
import { getTransaction } from "#lib/transactions/transactions.ts";

export const GET = serve(operation, {
  read: async (ctx, { id }) => ({
    body: { data: toTransactionResource(await getTransaction(ctx, id)), message: "Ok" as const },
  }),
});
