import { sql } from "drizzle-orm";
import { moveBack } from "#lib/clock/clock-reset.ts";
import { expireDue } from "#lib/clock/internal/deadlines.ts";
import { fillIdle } from "#lib/clock/internal/idle-freezes.ts";
import { isGoingBack, lockClock, markArrival, setClock } from "#lib/clock/sandbox-clock.ts";
import type { LockedClock } from "#lib/clock/sandbox-clock.ts";
import type { WriteContext } from "#lib/base/context.ts";
import { toDeadlineTime } from "#lib/base/deadline-clock.ts";
import { isDomainError } from "#lib/base/errors.ts";
import { newId } from "#lib/base/ids.ts";
import { log } from "#lib/base/log.ts";
import { EXPIRY } from "#lib/base/actor.ts";
import { integrators } from "#db/schema/integrators.ts";
import { awaitEarlierWriters } from "#db/earlier-writers.ts";
import { awaitFeed } from "#db/feed-horizon.ts";
import { inTime, inTransaction } from "#db/transaction.ts";
import type { Db } from "#db/client.ts";
import type { Tx } from "#db/transaction.ts";

/** How many deadlines one transaction processes: few enough to take only a fraction of its time limit. */
const CHUNK = 100;

/**
 * Completes the move of an integrator's clock, if one has begun: processes the deadlines on the way in order, and then
 * lets the clock run from its target. Any number of processes may do so at once, also for a process that crashed. It
 * first waits for transactions that still use the old time, so that none of their deadlines is missed. A reset gives
 * way to deadlines that were set meanwhile: the clock then keeps its offset.
 * @throws DomainError what an expiry throws; the clock has then reached its target, and the sweep retries the rest.
 */
export async function completeMove(db: Db, integratorId: string): Promise<void> {
  await awaitEarlierWriters(db, "integrators");
  await fillIdle(db, integratorId);
  try {
    while (!(await inTransaction(db, (tx) => moveOn(tx, integratorId)))) {
      // Each transaction processes one chunk.
    }
  } catch (error) {
    if (isDomainError(error)) {
      await inTransaction(db, (tx) => arrive(tx, integratorId));
    }
    throw error;
  }
}

/** Like `completeMove`, and then waits until the feed lists the move's events, which older open transactions hide. */
export async function completeAdvance(db: Db, integratorId: string): Promise<void> {
  await completeMove(db, integratorId);
  await awaitFeed(db);
}

/** Completes every move that another process has begun and not completed, for example because it crashed. */
export async function completeMoves(db: Db): Promise<void> {
  const begun = await inTime(() =>
    db
      .select({ id: integrators.id })
      .from(integrators)
      .where(
        sql`${integrators.clockSince} is not null and ${integrators.clockTargetS} is not null`,
      ),
  );
  for (const { id } of begun) {
    await completeMove(db, id).catch((error: unknown) => {
      log.error({ err: error, integratorId: id }, "A sandbox clock could not be advanced.");
    });
  }
}

/** @returns whether the clock has arrived. */
async function moveOn(tx: Tx, integratorId: string): Promise<boolean> {
  const ctx = toContext(tx, integratorId);
  const clock = await lockClock(ctx);
  if (isGoingBack(clock)) {
    await moveBack(ctx, clock);
    return true;
  }
  return clock.clockTargetS === null || (await moveAhead(ctx, clock, clock.clockTargetS));
}

function toContext(tx: Tx, integratorId: string): WriteContext {
  const request = { id: newId(), address: null, agent: null };
  return { tx, actor: { integratorId, ref: EXPIRY }, request };
}

/**
 * Sets the clock to its target, so that expiries run as usual, and sets it back if deadlines are left to process.
 * @returns whether nothing is left to process.
 */
async function moveAhead(
  ctx: WriteContext,
  { clockOffsetS, at }: LockedClock,
  targetS: number,
): Promise<boolean> {
  const { tx, actor } = ctx;
  const { integratorId } = actor;
  await setClock(tx, integratorId, { clockOffsetS: targetS, clockTargetS: null });
  const until = toDeadlineTime({ clockOffsetS: targetS }, at);
  const expired = await expireDue(ctx, { integratorId, until, limit: CHUNK });
  if (expired === CHUNK) {
    await setClock(tx, integratorId, { clockOffsetS, clockTargetS: targetS });
    return false;
  }
  markArrival(tx, { integratorId, offsetS: targetS });
  return true;
}

/** Lets the clock run from its target, even if deadlines are left to process. */
async function arrive(tx: Tx, integratorId: string): Promise<void> {
  const { clockTargetS } = await lockClock(toContext(tx, integratorId));
  if (clockTargetS !== null) {
    await setClock(tx, integratorId, { clockOffsetS: clockTargetS, clockTargetS: null });
    markArrival(tx, { integratorId, offsetS: clockTargetS });
  }
}
