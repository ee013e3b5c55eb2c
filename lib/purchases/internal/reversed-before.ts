import { sql } from "drizzle-orm";
import { processorOperations } from "#db/schema/processor.ts";
import type { Tx } from "#db/transaction.ts";

/**
 * Which of these references belong to authorizations that the card network reversed before they arrived. The caller must have
 * claimed them.
 */
export async function findReversed(
  tx: Tx,
  references: readonly string[],
): Promise<ReadonlySet<string>> {
  if (references.length === 0) {
    return new Set();
  }
  const rows = await tx
    .select({ reference: processorOperations.reverses })
    .from(processorOperations)
    .where(sql`${processorOperations.reverses} = any(${sql.param(references)}::text[])`);
  return new Set(rows.flatMap(({ reference }) => reference ?? []));
}
