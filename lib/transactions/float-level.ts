import type { EventDraft } from "#lib/record/events.ts";
import { lockCardsAndFloat } from "#lib/ledger/accounts.ts";
import { unchangedAccounts } from "#lib/ledger/decide.ts";
import { writeChanges } from "#lib/transactions/write-changes.ts";
import type { Tx } from "#db/transaction.ts";

/** A float's balance and its account's threshold, in minor units. */
export interface FloatLevel {
  balance: number;
  /** Null when there is none; then the float is never low. */
  threshold: number | null;
}

/** Who caused a change of the level. */
type Cause = Pick<EventDraft, "actor" | "requestId">;

/**
 * The event of a crossing: the float was at or above the threshold and is now below it, or the other way round.
 * Whether its balance or the threshold has moved makes no difference, so the two events always alternate.
 */
export function toLevelEvents(
  floatId: string,
  { before, after, cause }: { before: FloatLevel; after: FloatLevel; cause: Cause },
): EventDraft[] {
  if (isLow(before) === isLow(after)) {
    return [];
  }
  return [
    {
      event: isLow(after) ? "float.low-balance" : "float.recovered",
      subject: { type: "float", id: floatId },
      actor: cause.actor,
      requestId: cause.requestId,
      data: { balance: after.balance, threshold: after.threshold },
    },
  ];
}

function isLow({ balance, threshold }: FloatLevel): boolean {
  return threshold !== null && balance < threshold;
}

/**
 * Records the event if the threshold that this transaction has just changed makes the float low, or no longer low.
 * Locks the float until the commit, so that every move of funds is compared with either the old or the new threshold.
 * @param threshold the old threshold, in minor units.
 */
export async function recordThresholdChange(
  tx: Tx,
  integratorId: string,
  { threshold, cause }: { threshold: number | null; cause: Cause },
): Promise<void> {
  const { accounts, integrator } = await lockCardsAndFloat(tx, integratorId, []);
  const { floatId, lowBalanceThreshold } = integrator;
  const balance = accounts.byId.get(floatId)?.balance ?? 0;
  const events = toLevelEvents(floatId, {
    before: { balance, threshold },
    after: { balance, threshold: lowBalanceThreshold },
    cause,
  });
  if (events.length > 0) {
    await writeChanges(tx, integrator, { ...unchangedAccounts(accounts), events });
  }
}
