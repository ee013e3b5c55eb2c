import { getTransaction as operation } from "#lib/operations/transactions/get-transaction.ts";
import { handleReadOnce } from "#lib/api/edge/handle.ts";
import { toTransactionResource } from "#lib/api/wire/resources.ts";
import { getTransaction } from "#lib/transactions/transactions.ts";

export const GET = handleReadOnce(operation, async (ctx, { id }) => ({
  body: { data: toTransactionResource(await getTransaction(ctx, id)), message: "Ok" as const },
}));
