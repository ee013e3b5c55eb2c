import { expireApprovals } from "#lib/approvals/expire-approvals.ts";
import { announceKeyEnds } from "#lib/access/key-ends.ts";
import { completeMoves } from "#lib/clock/clock-move.ts";
import { endFreezes } from "#lib/clock/internal/freeze-ends.ts";
import { freezeIdleCards } from "#lib/clock/internal/idle-freezes.ts";
import { completeErasures } from "#lib/cards/erasure-sweep.ts";
import { repeat } from "#lib/base/repeat.ts";
import { expireHolds } from "#lib/purchases/hold-expiry.ts";
import { tellOfDecliningCards } from "#lib/transactions/declining-cards.ts";
import { unlessReadOnly } from "#db/read-only.ts";
import type { Db } from "#db/client.ts";

const PERIOD_MS = 10_000;

/** Short, because lists show a card as frozen until its freeze is lifted. Without this sweep, that could take hours. */
const FREEZES_PERIOD_MS = 1_000;

const DECLINES_PERIOD_MS = 30_000;

const FAILURE = "Deadlines that have passed could not be worked off.";

/**
 * Processes due deadlines every ten seconds, and ends of freezes every second. Tells people within a minute of cards
 * that decline. Any number of processes may run it.
 */
export function startDeadlineSweep(db: Db): { stop(): void } {
  const sweeps = [
    repeat(PERIOD_MS, FAILURE, () => unlessReadOnly(db, sweepDeadlines)),
    repeat(FREEZES_PERIOD_MS, FAILURE, () => unlessReadOnly(db, endFreezes)),
    repeat(DECLINES_PERIOD_MS, "Cards that decline could not be found.", () =>
      unlessReadOnly(db, tellOfDecliningCards),
    ),
  ];
  return { stop: () => sweeps.forEach((sweep) => sweep.stop()) };
}

/**
 * Completes clock moves that other processes began, releases expired holds, continues erasures, freezes idle cards,
 * announces API keys that end soon, and ends approvals that nobody decided in time.
 */
export async function sweepDeadlines(db: Db): Promise<void> {
  await completeMoves(db);
  await expireHolds(db);
  await completeErasures(db);
  await freezeIdleCards(db);
  await announceKeyEnds(db);
  await expireApprovals(db);
}
