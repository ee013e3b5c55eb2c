import { refunding } from "#db/testing/purchase-refusals.ts";
import type { Cases } from "#db/testing/refusal-cases.ts";
import { createRefund } from "#lib/operations/processor/create-refund.ts";

export const operation = createRefund;

export const cases: Cases<typeof createRefund> = {
  ...refunding("createRefund", (transaction_id, amount) => ({ body: { transaction_id, amount } })),
};
