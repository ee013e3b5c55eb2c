import { AUTOMATIC_FREEZE } from "#lib/base/actor.ts";
import type { Caller } from "#lib/base/context.ts";
import { toDeadlineTime } from "#lib/base/deadline-clock.ts";
import { findCards } from "#lib/cards/card-reads.ts";
import { decideStatuses } from "#lib/cards/card-status.ts";
import type { ChangeBy } from "#lib/cards/status-records.ts";
import type { Locked } from "#lib/ledger/accounts.ts";
import { completesCount, isCounted, toAutoFreezeText } from "#lib/transactions/auto-freeze.ts";
import type { CountedDecline } from "#lib/transactions/auto-freeze.ts";
import { readRecentDeclines } from "#lib/transactions/recent-declines.ts";
import type { StoredAutoFreeze } from "#db/schema/integrators.ts";
import type { Tx } from "#db/transaction.ts";

/** A decided transaction of a locked card, and its request. */
type Decided = CountedDecline & Pick<Caller, "request"> & { cardId: string };

/** The freezes that declines cause, by the index of the decline. */
export type AutoFreezes = ReadonlyMap<number, ChangeBy>;

export const NO_FREEZES: AutoFreezes = new Map();

/**
 * Decides the freezes caused by declines that complete their card's count under the account's rule, at most one per
 * card. Reads nothing if the account has no rule.
 * @param decided in the order in which they were decided, not yet written; null for what was refused.
 */
export async function findAutoFreezes(
  tx: Tx,
  locked: Locked,
  decided: readonly (Decided | null)[],
): Promise<AutoFreezes> {
  const rule = locked.integrator.autoFreeze;
  if (rule === null) {
    return NO_FREEZES;
  }
  const completing = await findCompleting(tx, { ...locked, rule }, decided);
  if (completing.size === 0) {
    return NO_FREEZES;
  }
  const { integratorId } = locked.integrator;
  const cards = await findCards(
    tx,
    integratorId,
    [...completing.values()].map(({ cardId }) => cardId),
  );
  const { changed } = decideStatuses(
    { ...locked, cards },
    [...completing.values()].map(({ cardId, request }) => ({
      to: "frozen",
      cardId,
      request,
      actor: { integratorId, ref: AUTOMATIC_FREEZE },
      level: "staff",
      reason: "too_many_declines",
      comment: toAutoFreezeText(rule),
      mayLift: [],
      statusVersion: null,
    })),
  );
  const byCard = new Map(changed.map((change) => [change.card.id, change]));
  return new Map(
    [...completing].flatMap(([index, { cardId }]) => {
      const change = byCard.get(cardId);
      return change
        ? [[index, { ...change, rule: { auto_freeze: rule, idle_freeze_days: null } }] as const]
        : [];
    }),
  );
}

/** The declines that complete the count, by their indexes. */
async function findCompleting(
  tx: Tx,
  { integrator, accounts, rule }: Locked & { rule: StoredAutoFreeze },
  decided: readonly (Decided | null)[],
): Promise<Map<number, Decided>> {
  const counted = [...decided.entries()].flatMap(([index, row]) =>
    row && isCounted(rule, row) && accounts.byId.get(row.cardId)?.status === "active"
      ? [{ index, row }]
      : [],
  );
  const cardIds = [...new Set(counted.map(({ row }) => row.cardId))];
  const completing = new Map<number, Decided>();
  if (cardIds.length === 0) {
    return completing;
  }
  const { integratorId } = integrator;
  const recent = await readRecentDeclines(tx, rule, { integratorId, at: accounts.at, cardIds });
  const now = toDeadlineTime(integrator, accounts.at).getTime();
  const frozen = new Set<string>();
  for (const { index, row } of counted) {
    const earlier = recent.get(row.cardId) ?? [];
    if (!frozen.has(row.cardId) && completesCount(rule, earlier, now)) {
      frozen.add(row.cardId);
      completing.set(index, row);
    }
    recent.set(row.cardId, [...earlier, now]);
  }
  return completing;
}
