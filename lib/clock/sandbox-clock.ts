import { eq, sql } from "drizzle-orm";
import type { ReadContext, WriteContext } from "#lib/base/context.ts";
import { ADVANCE_MAX_S, toDeadlineTime } from "#lib/base/deadline-clock.ts";
import { DomainError } from "#lib/base/errors.ts";
import { toMoment } from "#lib/base/ids.ts";
import { readMoment, STATEMENT_MICROS } from "#lib/base/moment.ts";
import { requireSandboxOf } from "#lib/base/sandbox.ts";
import { findSuspension } from "#lib/ledger/accounts.ts";
import { recordAudit } from "#lib/record/audit.ts";
import { CLOCK_OFFSET_MAX_S, integrators } from "#db/schema/integrators.ts";
import { markCommit } from "#db/transaction.ts";
import type { Tx } from "#db/transaction.ts";

/** The clock that the deadlines of a sandbox follow. */
export interface SandboxClock {
  now: Date;
  /** How far it is ahead of real time, in seconds. */
  offsetS: number;
  /** The time that it is being moved to; null while it runs as usual. */
  advancingTo: Date | null;
}

/** How far to advance: by 1 to `ADVANCE_MAX_S` seconds, or to a time of the clock. Exactly one is given. */
export interface Advance {
  byS?: number | undefined;
  to?: Date | undefined;
}

/**
 * Reads the clock of the caller's sandbox with a single statement.
 * @throws DomainError `sandbox_only`.
 */
export async function getClock({ db, actor }: ReadContext): Promise<SandboxClock> {
  const [row] = await db
    .select({ ...CLOCK, micros: sql<number>`${STATEMENT_MICROS}` })
    .from(integrators)
    .where(eq(integrators.id, actor.integratorId));
  requireSandboxOf(row);
  const { at } = toMoment(row?.micros ?? Number.NaN);
  const { clockOffsetS = 0, clockTargetS = null } = row ?? {};
  return {
    now: toDeadlineTime({ clockOffsetS }, at),
    offsetS: clockOffsetS,
    advancingTo: clockTargetS === null ? null : toDeadlineTime({ clockOffsetS: clockTargetS }, at),
  };
}

/**
 * Begins to advance the clock: from the commit on, every change of cards and funds is refused until `completeMove` has
 * processed the deadlines up to the target.
 * @returns the clock as it will be at the target.
 * @throws DomainError `sandbox_only`, `clock_advancing`, `books_unbalanced`; `validation_failed` for a time that is not
 * ahead of the clock or too far ahead of it or of real time.
 */
export async function beginAdvance(ctx: WriteContext, wanted: Advance): Promise<SandboxClock> {
  const clock = await lockClock(ctx);
  const suspension = findSuspension(clock);
  if (suspension) {
    throw suspension;
  }
  const targetS = clock.clockOffsetS + requireDistance(clock, wanted);
  const { tx, actor, request } = ctx;
  const { integratorId } = actor;
  await setClock(tx, integratorId, {
    clockTargetS: targetS,
    clockSince: clock.clockSince ?? clock.at,
  });
  await recordAudit(tx, integratorId, [
    {
      actor: actor.ref,
      request,
      action: "sandbox.clock-advanced",
      targetType: "account",
      targetId: integratorId,
      before: { offset_seconds: clock.clockOffsetS },
      after: { offset_seconds: targetS },
    },
  ]);
  return {
    now: toDeadlineTime({ clockOffsetS: targetS }, clock.at),
    offsetS: targetS,
    advancingTo: null,
  };
}

const CLOCK = {
  environment: integrators.environment,
  clockOffsetS: integrators.clockOffsetS,
  clockTargetS: integrators.clockTargetS,
  clockSince: integrators.clockSince,
};

/** A clock as its transaction has locked it. */
export interface LockedClock {
  clockOffsetS: number;
  /** The offset that it is being moved to; null while it runs as usual. */
  clockTargetS: number | null;
  clockAdvancing: boolean;
  clockSince: Date | null;
  booksUnbalanced: boolean;
  /** Real time, read after the lock. */
  at: Date;
}

/** @throws DomainError `sandbox_only`. */
export async function lockClock({ tx, actor }: WriteContext): Promise<LockedClock> {
  const [row] = await tx
    .select({ ...CLOCK, booksUnbalancedAt: integrators.booksUnbalancedAt })
    .from(integrators)
    .where(eq(integrators.id, actor.integratorId))
    .for("no key update");
  requireSandboxOf(row);
  const { at } = await readMoment(tx);
  const clockTargetS = row?.clockTargetS ?? null;
  return {
    clockOffsetS: row?.clockOffsetS ?? 0,
    clockTargetS,
    clockAdvancing: clockTargetS !== null,
    clockSince: row?.clockSince ?? null,
    booksUnbalanced: row?.booksUnbalancedAt instanceof Date,
    at,
  };
}

/** Whether a clock is being set back, which only a reset does. */
export function isGoingBack({ clockOffsetS, clockTargetS }: LockedClock): boolean {
  return clockTargetS !== null && clockTargetS < clockOffsetS;
}

/** Writes some columns of a clock that the transaction has locked. */
export async function setClock(
  tx: Tx,
  integratorId: string,
  clock: Partial<
    Pick<typeof integrators.$inferInsert, "clockOffsetS" | "clockTargetS" | "clockSince">
  >,
): Promise<void> {
  await tx.update(integrators).set(clock).where(eq(integrators.id, integratorId));
}

/** Sets the transaction's commit marker: the clock runs with this offset, and no move is under way. */
export function markArrival(
  tx: Tx,
  { integratorId, offsetS }: { integratorId: string; offsetS: number },
): void {
  markCommit(
    tx,
    sql`exists (select from integrators where id = ${integratorId} and clock_offset_s = ${offsetS}
      and clock_target_s is null)`,
  );
}

/** How far to advance, in whole seconds: rounded up, so that the clock reaches `to`. */
function requireDistance(clock: LockedClock, { byS, to }: Advance): number {
  const distanceS = to ? toDistance(clock, to) : byS;
  if (distanceS === undefined) {
    throw new Error("The contract let an advance without a distance through.");
  }
  const restS = CLOCK_OFFSET_MAX_S - clock.clockOffsetS;
  if (distanceS > restS) {
    throw refuse(
      to ? "to" : "by_seconds",
      `This field must not take the clock more than 10 years ahead of real time: it can advance by ${restS} more seconds.`,
    );
  }
  return distanceS;
}

function toDistance(clock: LockedClock, to: Date): number {
  const now = toDeadlineTime(clock, clock.at);
  const distanceS = Math.ceil((to.getTime() - now.getTime()) / 1_000);
  if (distanceS <= 0) {
    throw refuse(
      "to",
      `This field must be later than the clock, which shows ${now.toISOString()}.`,
    );
  }
  if (distanceS > ADVANCE_MAX_S) {
    throw refuse(
      "to",
      `This field must be at most 400 days later than the clock, which shows ${now.toISOString()}.`,
    );
  }
  return distanceS;
}

function refuse(member: "by_seconds" | "to", sentence: string): DomainError {
  return new DomainError("validation_failed", sentence, { [member]: [sentence] });
}
