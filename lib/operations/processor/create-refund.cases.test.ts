import { refunding } from "#test/scene/purchase-refusals.ts";
import type { Cases } from "#test/scene/refusal-cases.ts";
import { createRefund } from "#lib/operations/processor/create-refund.ts";

export const operation = createRefund;

export const cases: Cases<typeof createRefund> = {
  ...refunding("createRefund", (transaction_id, amount) => ({ body: { transaction_id, amount } })),
};
