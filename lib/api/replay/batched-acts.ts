import { idempotencyKeys } from "#lib/api/replay/idempotency-keys.ts";
import type { IdempotencyKey } from "#lib/api/replay/idempotency-keys.ts";
import type { Act, AnswerOrBusy, Call } from "#lib/api/replay/perform.ts";
import { processorReferences } from "#lib/api/replay/processor-references.ts";
import type { ProcessorReference } from "#lib/api/replay/processor-references.ts";
import type { ReplayKey } from "#lib/api/replay/store.ts";
import { changeCardStatus } from "#lib/cards/card-status.ts";
import type { StatusRequest } from "#lib/cards/card-status.ts";
import type { Card } from "#lib/cards/card-resource.ts";
import { moveFunds } from "#lib/funds/funds.ts";
import type { FundsMoved, FundsRequest } from "#lib/funds/funds.ts";
import { CommitQueue } from "#lib/group-commit/queue.ts";
import { decideAuthorizations } from "#lib/processor/operations.ts";
import type { Decision, ProcessorAuthorization } from "#lib/processor/operations.ts";

/**
 * The acts that can share a commit. Each defines the key that identifies its repeats, and how it
 * locks, decides, and writes. Each has its own queue, so that a freeze never waits for a batch of
 * credits.
 */

const fundsQueue = newQueue<IdempotencyKey, FundsRequest, FundsMoved>("funds");
const cardStatusQueue = newQueue<IdempotencyKey, StatusRequest, Card>("card_status");
const authorizationsQueue = newQueue<ProcessorReference, ProcessorAuthorization, Decision>(
  "authorizations",
);

export const FUNDS: Act<IdempotencyKey, FundsRequest, FundsMoved> = {
  store: idempotencyKeys,
  decide: moveFunds,
  queue: fundsQueue,
};

export const CARD_STATUS: Act<IdempotencyKey, StatusRequest, Card> = {
  store: idempotencyKeys,
  decide: changeCardStatus,
  queue: cardStatusQueue,
};

export const AUTHORIZATIONS: Act<ProcessorReference, ProcessorAuthorization, Decision> = {
  store: processorReferences,
  decide: decideAuthorizations,
  queue: authorizationsQueue,
};

function newQueue<Key extends ReplayKey, Input, Done>(name: string) {
  return new CommitQueue<Call<Key, Input, Done>, AnswerOrBusy>(name);
}

/** How many requests wait in each queue for the batch before theirs. */
export function countWaiting(): { queue: string; waiting: number }[] {
  return [fundsQueue, cardStatusQueue, authorizationsQueue].map((queue) => ({
    queue: queue.name,
    waiting: queue.countWaiting(),
  }));
}
