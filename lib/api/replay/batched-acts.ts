import type { Attempt } from "#lib/api/replay/once.ts";
import { idempotencyKeys } from "#lib/api/replay/idempotency-keys.ts";
import type { IdempotencyKey } from "#lib/api/replay/idempotency-keys.ts";
import type { Act, Call } from "#lib/api/replay/perform.ts";
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
 * What can share a commit: the key its repeats are recognized by, how it locks, decides, and writes, and which requests
 * belong together. Each kind has a queue of its own, so that a freeze never waits for a batch of credits.
 */

export const FUNDS: Act<IdempotencyKey, FundsRequest, FundsMoved> = {
  store: idempotencyKeys,
  decide: moveFunds,
  groups: { queue: newQueue(), groupOf: ({ actor }) => actor.integratorId },
};

export const CARD_STATUS: Act<IdempotencyKey, StatusRequest, Card> = {
  store: idempotencyKeys,
  decide: changeCardStatus,
  groups: { queue: newQueue(), groupOf: ({ actor }) => actor.integratorId },
};

export const AUTHORIZATIONS: Act<ProcessorReference, ProcessorAuthorization, Decision> = {
  store: processorReferences,
  decide: decideAuthorizations,
  // A card of no integrator is declined alone.
  groups: { queue: newQueue(), groupOf: ({ integratorId }) => integratorId ?? null },
};

function newQueue<Key extends ReplayKey, Input, Done>() {
  return new CommitQueue<Call<Key, Input, Done>, Attempt>();
}
