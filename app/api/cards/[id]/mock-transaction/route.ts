import { mockTransaction as operation } from "#lib/operations/transactions/mock-transaction.ts";
import { toDescription } from "#lib/api/contract/merchant-charge.ts";
import { serve } from "#lib/api/edge/serve.ts";
import { toTransactionResource } from "#lib/transactions/transaction-resource.ts";
import { simulate } from "#lib/purchases/simulator.ts";

export const POST = serve(operation, {
  change: async (ctx, { id, body }) => {
    const transaction = await simulate(ctx, id, {
      type: body.type,
      amount: body.amount ?? null,
      transactionId: body.transaction_id ?? null,
      declineWith: body.decline_with ?? null,
      allowPartial: body.allow_partial ?? false,
      final: body.final ?? false,
      earlier: body.earlier ?? [],
      force: body.force,
      described: toDescription(body),
    });
    return { body: { data: toTransactionResource(transaction), message: "Ok" as const } };
  },
});
