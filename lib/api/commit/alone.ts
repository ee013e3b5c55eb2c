import { isStorable } from "#lib/api/wire/problem.ts";
import type { Procedure } from "#lib/api/commit/perform.ts";
import type { ReplayKey, ReplayStore } from "#lib/api/commit/store.ts";
import { isDomainError } from "#lib/base/errors.ts";
import { EMPTY_BATCH } from "#lib/group-commit/batch.ts";
import type { Result } from "#lib/group-commit/batch.ts";
import { inSavepoint } from "#db/transaction.ts";
import type { Tx } from "#db/transaction.ts";

/**
 * Work that shares its transaction only with its own stored response; its input is its key. A refusal to be stored
 * rolls back to the point where the work began; any other error rolls back the whole transaction.
 */
export function alone<Key extends ReplayKey, Done>(
  store: ReplayStore<Key>,
  work: (tx: Tx) => Promise<Done>,
): Procedure<Key, Key | null, Done> {
  return {
    store,
    decide: async (tx, keys) => {
      const [key] = keys;
      if (key === undefined) {
        return EMPTY_BATCH;
      }
      const result = key ? await attemptInSavepoint(tx, work) : { done: await work(tx) };
      return { results: [result], write: async () => undefined };
    },
  };
}

async function attemptInSavepoint<Done>(
  tx: Tx,
  work: (tx: Tx) => Promise<Done>,
): Promise<Result<Done>> {
  try {
    return { done: await inSavepoint(tx, work) };
  } catch (error) {
    if (isDomainError(error) && isStorable(error.code)) {
      return { refusal: error };
    }
    throw error;
  }
}
