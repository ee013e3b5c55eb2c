import { toTransactionResource } from "#lib/api/wire/resources.ts";
import type { Effect } from "#lib/processor/operations.ts";

/** The transaction that came of an operation of the processor, or that it changed. */
export function toEffectReply({ integratorId, transaction }: Effect) {
  return {
    affected: { integratorId, transactionId: transaction.id },
    body: { data: toTransactionResource(transaction) },
  };
}
