import { refunding } from "#test/scene/purchase-refusals.ts";
import type { Cases } from "#test/scene/refusal-cases.ts";
import { createRefund } from "#lib/operations/processor/create-refund.ts";

export const operation = createRefund;

const { transaction_not_found, balance_limit_exceeded } = refunding(
  "createRefund",
  (transaction_id, amount) => ({ body: { transaction_id, amount } }),
);

export const cases: Cases<typeof createRefund> = {
  fact_unmatched: transaction_not_found,
  balance_limit_exceeded,
};
