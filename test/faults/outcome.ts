import type { Db } from "#db/client.ts";
import { DatabaseFailure } from "#db/failures.ts";
import { inTransaction } from "#db/transaction.ts";
import type { Tx } from "#db/transaction.ts";

/** What the caller of a write was told: that it was performed, that nothing was changed, or that it is not known. */
export type Outcome = "performed" | "refused" | "unknown";

/** How many times a write may have been performed after each outcome. */
export const POSSIBLE_EFFECTS: Readonly<Record<Outcome, readonly number[]>> = {
  performed: [1],
  refused: [0],
  unknown: [0, 1],
};

/**
 * What a response says about a write.
 * @param performed the status of the response to a performed write.
 * @throws Error for a response that is neither that nor a 503.
 */
export function readOutcome(
  { status, code }: { status: number; code: string | null },
  performed: number,
): Outcome {
  if (status === performed) {
    return "performed";
  }
  if (status !== 503) {
    throw new Error(`The response is ${status} ${code ?? ""}.`);
  }
  return code === "outcome_unknown" ? "unknown" : "refused";
}

/**
 * Runs a transaction. @returns what it says about itself.
 * @throws its error, except those of a database that is away.
 */
export async function readTransactionOutcome(
  db: Db,
  work: (tx: Tx) => Promise<unknown>,
): Promise<Outcome> {
  try {
    await inTransaction(db, work);
    return "performed";
  } catch (error) {
    if (error instanceof DatabaseFailure && error.code !== "database_full") {
      return error.code === "outcome_unknown" ? "unknown" : "refused";
    }
    throw error;
  }
}
