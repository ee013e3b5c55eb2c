import { sql } from "drizzle-orm";
import { clockAdvancing, requireUnpaused } from "#lib/ledger/accounts.ts";
import { listOpenSince } from "#lib/clock/internal/deadlines.ts";
import { isGoingBack, lockClock, markArrival, setClock } from "#lib/clock/sandbox-clock.ts";
import type { LockedClock, SandboxClock } from "#lib/clock/sandbox-clock.ts";
import type { WriteContext } from "#lib/base/context.ts";
import { restartIdleFill } from "#lib/transactions/idle-freeze.ts";
import { DomainError } from "#lib/base/errors.ts";
import { recordAudit } from "#lib/record/audit.ts";
import { markCommit } from "#db/transaction.ts";

/**
 * Begins to set the clock back to real time: from the commit on, every change of cards and funds is refused until
 * `finishReset` has decided. It decides once earlier writers have ended, because they may still set deadlines ahead
 * of real time. If this process ends before that, any other completes the reset.
 * @returns the clock if it already shows real time; undefined if the reset has begun, by this request or another.
 * @throws DomainError `sandbox_only`, `clock_advancing`; `clock_in_use` while anything is open whose deadline was set
 * ahead of real time.
 */
export async function beginReset(ctx: WriteContext): Promise<SandboxClock | undefined> {
  const clock = await lockClock(ctx);
  if (isGoingBack(clock)) {
    return undefined;
  }
  requireUnpaused(clock);
  if (clock.clockSince === null) {
    return toRealTime(clock);
  }
  const refusal = await findUse(ctx, clock.clockSince);
  if (refusal) {
    throw refusal;
  }
  const { integratorId } = ctx.actor;
  await setClock(ctx.tx, integratorId, { clockTargetS: 0 });
  markCommit(
    ctx.tx,
    sql`exists (select from integrators where id = ${integratorId} and clock_target_s = 0)`,
  );
  return undefined;
}

/**
 * Decides a reset that has begun.
 * @returns the clock, or the error `clock_in_use` if the clock keeps its offset. The error is not thrown, so that the
 * transaction commits.
 * @throws DomainError `clock_advancing` when another request has moved the clock meanwhile.
 */
export async function finishReset(ctx: WriteContext): Promise<SandboxClock | DomainError> {
  const clock = await lockClock(ctx);
  if (isGoingBack(clock)) {
    return (await moveBack(ctx, clock)) ?? toRealTime(clock);
  }
  // Another process was faster.
  requireUnpaused(clock);
  if (clock.clockSince === null) {
    return toRealTime(clock);
  }
  const refusal = await findUse(ctx, clock.clockSince);
  if (refusal) {
    return refusal;
  }
  throw clockAdvancing();
}

/**
 * Completes a reset that has begun.
 * @returns the error `clock_in_use` if the clock is in use and keeps its offset.
 */
export async function moveBack(
  ctx: WriteContext,
  { clockOffsetS, clockSince }: Pick<LockedClock, "clockOffsetS" | "clockSince">,
): Promise<DomainError | undefined> {
  const { tx, actor, request } = ctx;
  const { integratorId } = actor;
  const refusal = clockSince && (await findUse(ctx, clockSince));
  if (refusal) {
    await setClock(tx, integratorId, { clockTargetS: null });
    markArrival(tx, { integratorId, offsetS: clockOffsetS });
    return refusal;
  }
  await setClock(tx, integratorId, { clockOffsetS: 0, clockTargetS: null, clockSince: null });
  await restartIdleFill(tx, integratorId);
  markArrival(tx, { integratorId, offsetS: 0 });
  await recordAudit(tx, integratorId, [
    {
      actor: actor.ref,
      request,
      action: "sandbox.clock-reset",
      targetType: "account",
      targetId: integratorId,
      before: { offset_seconds: clockOffsetS },
      after: { offset_seconds: 0 },
    },
  ]);
  return undefined;
}

/** Why a clock that has been ahead of real time since then cannot be set back; undefined if it can. */
async function findUse({ tx, actor }: WriteContext, since: Date): Promise<DomainError | undefined> {
  const open = await listOpenSince(tx, actor.integratorId, since);
  return open.length === 0
    ? undefined
    : new DomainError(
        "clock_in_use",
        `The deadlines of ${open.join(" and ")} were set ahead of real time. Capture, reverse, or expire such authorizations, lift such freezes, close such cards, and reset the clock then.`,
      );
}

function toRealTime({ at }: LockedClock): SandboxClock {
  return { now: at, offsetS: 0, advancingTo: null };
}
