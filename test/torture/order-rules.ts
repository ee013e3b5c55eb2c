import { QUESTIONS, describe, isAcknowledged, isDeclined } from "./history.ts";
import type { History, Recorded } from "./history.ts";
import { Peaks } from "./peaks.ts";

/** The guarantees about what can no longer happen once something else was answered. */

/** How long another server may accept a key that was revoked, as docs/operations.md says. */
const REVOKED_MS = 5_000;

/**
 * A freeze holds from its answer until an unfreeze can have taken effect. Whatever was first sent in between was sent to a
 * frozen card.
 */
export function checkFreezes({ requests }: History): string[] {
  const frozen = toLatestAnswered(requests, "freeze");
  const thaws = byCard(requests.filter(({ operation }) => operation === "unfreeze"));
  const thawed = new Map(
    [...thaws].map(([card, own]) => [
      card,
      new Peaks(
        own,
        ({ startedAt }) => startedAt,
        ({ endedAt }) => endedAt,
      ),
    ]),
  );
  return findApproved(requests).flatMap((spend) => {
    const freeze = frozen.get(spend.cardId)?.before(spend.startedAt)?.item;
    const thaw = thawed.get(spend.cardId)?.before(spend.endedAt)?.item;
    return freeze && (!thaw || thaw.endedAt <= freeze.startedAt)
      ? [describeLate(spend, freeze)]
      : [];
  });
}

/** Closing is final. */
export function checkCloses({ requests }: History): string[] {
  const closed = toLatestAnswered(requests, "closeCard", "replaceCard");
  return findApproved(requests).flatMap((spend) => {
    const close = closed.get(spend.cardId)?.before(spend.startedAt)?.item;
    return close ? [describeLate(spend, close)] : [];
  });
}

export function checkRevokedKeys({ requests }: History): string[] {
  const revoked = new Map(
    requests
      .filter((each) => each.operation === "revokeApiKey" && isAcknowledged(each))
      .map((each) => [each.target, each]),
  );
  return requests
    .filter((each) => each.operation === "use_key" && isAcknowledged(each))
    .flatMap((use) => {
      const revocation = revoked.get(use.target);
      // A server that only repeats the answer of another is one of those that hear of it.
      const isThere = revocation?.server === use.server && revocation.setbacks.length === 0;
      const afterMs = revocation ? use.startedAt - revocation.endedAt : Number.NEGATIVE_INFINITY;
      return afterMs > (isThere ? 0 : REVOKED_MS)
        ? [`key ${use.target} was accepted ${Math.round(afterMs)} ms after it was revoked`]
        : [];
    });
}

function findApproved(requests: readonly Recorded[]): Recorded[] {
  return requests.filter(
    (each) => QUESTIONS.has(each.operation) && isAcknowledged(each) && !isDeclined(each),
  );
}

/** For each card, the acknowledged requests of these names by their answers, of which the one sent last counts. */
function toLatestAnswered(
  requests: readonly Recorded[],
  ...names: readonly string[]
): Map<string | null, Peaks<Recorded>> {
  const named = requests
    .filter(({ operation }) => names.includes(operation))
    .filter(isAcknowledged);
  return new Map(
    [...byCard(named)].map(([card, own]) => [
      card,
      new Peaks(
        own,
        ({ endedAt }) => endedAt,
        ({ startedAt }) => startedAt,
      ),
    ]),
  );
}

function describeLate(spend: Recorded, { operation, key, endedAt }: Recorded): string {
  return `${describe(spend)} was approved ${Math.round(spend.startedAt - endedAt)} ms after ${operation} ${key} was answered`;
}

function byCard(requests: readonly Recorded[]): Map<string | null, Recorded[]> {
  return Map.groupBy(requests, ({ cardId }) => cardId);
}
