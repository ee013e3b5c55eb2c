import { mockTransaction as operation } from "#lib/api/contract/transactions.ts";
import { handleWrite } from "#lib/api/handle.ts";
import { toTransactionResource } from "#lib/api/resources.ts";
import { env } from "#lib/env.ts";
import { simulate } from "#lib/simulator.ts";

export const POST = handleWrite(operation, async (ctx, { id, body }) => {
  const transaction = await simulate(ctx, id, {
    type: body.type,
    amount: body.amount ?? null,
    transactionId: body.transaction_id ?? null,
    narrative: body.narrative,
    merchant: body.merchant,
    tolerancePercent: env().captureTolerancePercent,
  });
  return { body: { data: toTransactionResource(transaction), message: "Ok" as const } };
});
