import { eq, sql } from "drizzle-orm";
import { expireDue, listOpenSince } from "#lib/clock/deadlines.ts";
import { clockInUse } from "#lib/clock/sandbox-clock.ts";
import { toDeadlineTime } from "#lib/base/deadline-clock.ts";
import { isDomainError } from "#lib/base/errors.ts";
import type { DomainError } from "#lib/base/errors.ts";
import { newId } from "#lib/base/ids.ts";
import { log } from "#lib/base/log.ts";
import { readMoment } from "#lib/base/moment.ts";
import { EXPIRY } from "#lib/purchases/hold-expiry.ts";
import { integrators } from "#db/schema/integrators.ts";
import { awaitEarlierWriters } from "#db/earlier-writers.ts";
import { inTime, inTransaction, markCommit } from "#db/transaction.ts";
import type { Db } from "#db/client.ts";
import type { Tx } from "#db/transaction.ts";

/** Told, in the same transaction, that a move is not made. */
export type OnRefused = (tx: Tx, refusal: DomainError) => Promise<void>;

/** How many deadlines one transaction works off: a fraction of the time that a transaction has. */
const CHUNK = 100;

/**
 * Completes the move of an integrator's clock, if one has begun: works off what is due on the way, in the order of its
 * deadlines, and then lets the clock run from its target. Any number of processes may do so at once, also for one that
 * crashed. Nothing decided by the old time is left behind, because its transactions are awaited first.
 * @param onRefused is told when the clock cannot be set back after all.
 * @throws DomainError what an expiry throws; the clock has reached its target, and the expiry run retries the rest.
 *   `clock_in_use` when something was created while the clock was being reset, which then stays where it was.
 */
export async function completeMove(
  db: Db,
  integratorId: string,
  onRefused: OnRefused = () => Promise.resolve(),
): Promise<void> {
  await awaitEarlierWriters(db, "integrators");
  try {
    for (;;) {
      const step = await inTransaction(db, (tx) => moveOn(tx, integratorId, onRefused));
      if (step === "arrived") {
        return;
      }
      if (step !== "on the way") {
        throw step;
      }
    }
  } catch (error) {
    if (isDomainError(error)) {
      await inTransaction(db, (tx) => arrive(tx, integratorId));
    }
    throw error;
  }
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

type Step = "arrived" | "on the way" | DomainError;

async function moveOn(tx: Tx, integratorId: string, onRefused: OnRefused): Promise<Step> {
  const clock = await lockMove(tx, integratorId);
  if (!clock) {
    return "arrived";
  }
  return clock.targetS < clock.offsetS ? moveBack(tx, clock, onRefused) : moveAhead(tx, clock);
}

interface Move {
  integratorId: string;
  offsetS: number;
  targetS: number;
  since: Date;
}

/** Locks the clock, so that only one process works off its deadlines at a time. Undefined when it has arrived. */
async function lockMove(tx: Tx, integratorId: string): Promise<Move | undefined> {
  const [row] = await tx
    .select({
      offsetS: integrators.clockOffsetS,
      targetS: integrators.clockTargetS,
      since: integrators.clockSince,
    })
    .from(integrators)
    .where(eq(integrators.id, integratorId))
    .for("no key update");
  const { offsetS = 0, targetS = null, since = null } = row ?? {};
  return targetS === null || since === null ? undefined : { integratorId, offsetS, targetS, since };
}

/** Within this transaction alone, the clock has arrived: expiries take their usual way. */
async function moveAhead(tx: Tx, move: Move): Promise<Step> {
  const { integratorId, targetS } = move;
  await setClock(tx, integratorId, { clockOffsetS: targetS, clockTargetS: null });
  const { at } = await readMoment(tx);
  const until = toDeadlineTime({ clockOffsetS: targetS }, at);
  const request = { id: newId(), address: null, agent: null };
  const ctx = { tx, actor: { integratorId, ref: EXPIRY }, request };
  const expired = await expireDue(ctx, { integratorId, until, limit: CHUNK });
  if (expired === CHUNK) {
    await setClock(tx, integratorId, { clockOffsetS: move.offsetS, clockTargetS: targetS });
    return "on the way";
  }
  markArrival(tx, move);
  return "arrived";
}

async function moveBack(tx: Tx, move: Move, onRefused: OnRefused): Promise<Step> {
  const { integratorId, since } = move;
  const open = await listOpenSince(tx, integratorId, since);
  if (open.length > 0) {
    await setClock(tx, integratorId, { clockTargetS: null });
    markArrival(tx, { ...move, targetS: move.offsetS });
    const refusal = clockInUse(open);
    await onRefused(tx, refusal);
    return refusal;
  }
  await setClock(tx, integratorId, { clockOffsetS: 0, clockTargetS: null, clockSince: null });
  markArrival(tx, move);
  return "arrived";
}

/** Lets the clock run from its target, whatever is left to do. */
async function arrive(tx: Tx, integratorId: string): Promise<void> {
  const move = await lockMove(tx, integratorId);
  if (move) {
    await setClock(tx, integratorId, { clockOffsetS: move.targetS, clockTargetS: null });
    markArrival(tx, move);
  }
}

async function setClock(
  tx: Tx,
  integratorId: string,
  clock: Partial<
    Pick<typeof integrators.$inferInsert, "clockOffsetS" | "clockTargetS" | "clockSince">
  >,
): Promise<void> {
  await tx.update(integrators).set(clock).where(eq(integrators.id, integratorId));
}

function markArrival(tx: Tx, { integratorId, targetS }: Move): void {
  markCommit(
    tx,
    sql`exists (select from integrators where id = ${integratorId} and clock_offset_s = ${targetS}
      and clock_target_s is null)`,
  );
}
