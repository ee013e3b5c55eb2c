import { toTransactionResource } from "#lib/api/wire/resources.ts";
import type { Effect } from "#lib/processor/operations.ts";

/** The transaction that a card processor operation created or changed. */
export function toEffectReply({ integratorId, transaction }: Effect) {
  return {
    affected: { integratorId, transactionId: transaction.id },
    body: { data: toTransactionResource(transaction) },
  };
}
