import type { InspectedRecord } from "../../inspector/inspected-record.ts";
import { toMissingRecord } from "../../inspector/missing-record.tsx";
import { findTransaction } from "./[id]/find-transaction.ts";
import { toTransactionName, TransactionRecord } from "./[id]/transaction-record.tsx";
import type { Role } from "#lib/access/roles.ts";

/** The transaction that is open beside the list. */
export async function inspectTransaction(id: string, role: Role): Promise<InspectedRecord> {
  const found = await findTransaction(id);
  if (!found) {
    return toMissingRecord(id, "transaction");
  }
  return {
    id,
    label: `Transaction: ${toTransactionName(found.transaction)}`,
    href: `/transactions/${id}`,
    content: <TransactionRecord found={found} heading="h2" role={role} />,
  };
}
