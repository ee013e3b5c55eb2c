import {
  capturing,
  refunding,
  refundingUnintended,
  reversing,
} from "#test/scene/purchase-refusals.ts";
import { send } from "#test/scene/scene.ts";
import { newId } from "#lib/base/ids.ts";
import type { Cases } from "#test/scene/refusal-cases.ts";
import { mockTransaction } from "#lib/operations/transactions/mock-transaction.ts";

export const operation = mockTransaction;

export const cases: Cases<typeof mockTransaction> = {
  ...capturing("mockTransaction", toBody("capture")),
  ...reversing("mockTransaction", toBody("reversal")),
  ...refunding("mockTransaction", toBody("refund")),
  ...refundingUnintended("mockTransaction", toBody("refund")),
  authorization_not_found: (scene) =>
    send(scene, "mockTransaction", { body: { type: "capture", transaction_id: newId() } }),
};

function toBody(type: string) {
  return (transaction_id: string, amount: number) => ({ body: { type, transaction_id, amount } });
}
