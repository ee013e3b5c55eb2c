import type { Db } from "#db/client.ts";
import { DatabaseFailure } from "#db/failures.ts";
import { inTransaction } from "#db/transaction.ts";
import type { Tx } from "#db/transaction.ts";

/**
 * Whether a request was performed, as its response says: it has this status, or it is a 503 that says that nothing was
 * changed.
 * @throws Error for every other response.
 */
export function isAcknowledged(
  { status, code }: { status: number; code: string | null },
  performed: number,
): boolean {
  if (status !== performed && (status !== 503 || code === "outcome_unknown")) {
    throw new Error(`The response is ${status} ${code ?? ""}.`);
  }
  return status === performed;
}

/**
 * Runs a transaction. @returns whether it was committed, as it says itself.
 * @throws its error, except the one that says that nothing was changed.
 */
export async function isCommitted(db: Db, work: (tx: Tx) => Promise<unknown>): Promise<boolean> {
  try {
    await inTransaction(db, work);
    return true;
  } catch (error) {
    if (error instanceof DatabaseFailure && error.code === "database_unavailable") {
      return false;
    }
    throw error;
  }
}
