import { eq } from "drizzle-orm";
import type { OwnTransaction, ProcessorContext } from "#lib/processor/context.ts";
import { processorOperations } from "#db/schema/processor.ts";
import type { ORIGINAL_KINDS } from "#db/schema/processor.ts";

/** A purchase or a refund that the card network names by its own reference, to refund it or to take it back. */

export type OriginalKind = (typeof ORIGINAL_KINDS)[number];

/** An operation of the card network, by the network's own reference. */
export interface Original {
  reference: string;
  kind: OriginalKind;
}

/** Either of two operations reports a purchase. The sender need not know which one did. */
const PURCHASE_KINDS: readonly OriginalKind[] = ["capture", "posting"];

/** The kinds of records that an operation reports, by its id in the contract. */
export const KINDS_OF: Readonly<Record<string, readonly OriginalKind[]>> = {
  createCapture: PURCHASE_KINDS,
  createPosting: PURCHASE_KINDS,
  createRefund: ["refund"],
};

/**
 * The purchase or the refund that the card network has reported under this reference. Undefined if it has not
 * arrived, or is of another kind. The caller must have claimed the reference.
 */
export async function findOriginal(
  ctx: ProcessorContext,
  { reference, kind }: Original,
): Promise<OwnTransaction | undefined> {
  const [row] = await ctx.tx
    .select({
      operation: processorOperations.operation,
      integratorId: processorOperations.integratorId,
      transactionId: processorOperations.transactionId,
    })
    .from(processorOperations)
    .where(eq(processorOperations.reference, reference));
  return row?.integratorId && row.transactionId && KINDS_OF[row.operation]?.includes(kind)
    ? { integratorId: row.integratorId, transactionId: row.transactionId }
    : undefined;
}
