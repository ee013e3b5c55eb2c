import { authorizeAndBook } from "#lib/api/commit/internal/authorize-and-book.ts";
import { idempotencyKeys } from "#lib/api/commit/idempotency-keys.ts";
import { commit } from "#lib/api/commit/perform.ts";
import type { AnswerOrBusy, Call } from "#lib/api/commit/perform.ts";
import { processorReferences } from "#lib/api/commit/processor-references.ts";
import type { ReplayKey, ReplayStore } from "#lib/api/commit/store.ts";
import { changeCardStatus } from "#lib/cards/card-status.ts";
import { moveFunds } from "#lib/funds/funds.ts";
import type { Decide } from "#lib/group-commit/batch.ts";
import { CommitQueue } from "#lib/api/commit/internal/queue.ts";

/**
 * The procedures whose requests can share a commit. Each has its own queue, so that a freeze never waits for a batch of
 * credits.
 */
export const FUNDS = queued("funds", idempotencyKeys, moveFunds);
export const CARD_STATUS = queued("card_status", idempotencyKeys, changeCardStatus);
export const AUTHORIZATIONS = queued("authorizations", processorReferences, authorizeAndBook);

function queued<Key extends ReplayKey, Input, Done>(
  name: string,
  store: ReplayStore<Key>,
  decide: Decide<Input, Done>,
) {
  const queue: CommitQueue<Call<Key, Input, Done>, AnswerOrBusy> = new CommitQueue(name, (calls) =>
    commit({ store, decide, queue }, calls),
  );
  return { store, decide, queue };
}

/** How many requests wait in each queue for the batch before theirs. */
export function countWaiting(): { queue: string; waiting: number }[] {
  return [FUNDS, CARD_STATUS, AUTHORIZATIONS].map(({ queue }) => ({
    queue: queue.name,
    waiting: queue.countWaiting(),
  }));
}
