import { mockTransaction as operation } from "#lib/operations/transactions/mock-transaction.ts";
import { handleWrite } from "#lib/api/edge/handle.ts";
import { toTransactionResource } from "#lib/api/wire/resources.ts";
import { env } from "#lib/base/env.ts";
import { simulate } from "#lib/purchases/simulator.ts";

export const POST = handleWrite(operation, async (ctx, { id, body }) => {
  const transaction = await simulate(ctx, id, {
    type: body.type,
    amount: body.amount ?? null,
    transactionId: body.transaction_id ?? null,
    declineWith: body.decline_with ?? null,
    narrative: body.narrative,
    merchant: body.merchant,
    tolerancePercent: env().captureTolerancePercent,
  });
  return { body: { data: toTransactionResource(transaction), message: "Ok" as const } };
});
