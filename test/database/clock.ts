import { sql } from "drizzle-orm";
import { expect } from "vitest";
import type { WriteContext } from "#lib/base/context.ts";
import { completeMove } from "#lib/clock/clock-move.ts";
import { beginReset, finishReset } from "#lib/clock/clock-reset.ts";
import { beginAdvance, getClock } from "#lib/clock/sandbox-clock.ts";
import type { Advance, SandboxClock } from "#lib/clock/sandbox-clock.ts";
import { isDomainError } from "#lib/base/errors.ts";
import { performOne } from "#lib/group-commit/batch.ts";
import { authorize } from "#lib/purchases/authorizations.ts";
import { HOLD_LIFE_S } from "#lib/transactions/transaction-kinds.ts";
import { testDatabase } from "./database.ts";
import { reading, write } from "#test/scene/fixtures.ts";
import type { TestIntegrator } from "#test/scene/fixtures.ts";

/** Acts on the clock of a sandbox, as its operations perform them. */

export const HOUR_S = 60 * 60;
export const DAY_S = 24 * HOUR_S;

/** Begins an advance, and leaves the rest to whoever completes it. */
export function begin(integrator: TestIntegrator, wanted: Advance): Promise<SandboxClock> {
  return write(integrator, (ctx) => beginAdvance(ctx, wanted));
}

export async function advance(integrator: TestIntegrator, byS: number): Promise<SandboxClock> {
  const clock = await begin(integrator, { byS });
  await completeMove(testDatabase().db, integrator.id);
  return clock;
}

export async function reset(integrator: TestIntegrator): Promise<SandboxClock> {
  const already = await write(integrator, beginReset);
  const result = already ?? (await write(integrator, finishReset));
  if (isDomainError(result)) {
    throw result;
  }
  return result;
}

export function clockOf(integrator: TestIntegrator): Promise<SandboxClock> {
  return getClock(reading(integrator));
}

/**
 * The expiries that an integrator's events report, in the order in which they happened: ids are made under the locks, while
 * the feed has the order of transactions, which several servers may begin before either has the lock.
 */
export async function expiriesOf({
  id,
}: TestIntegrator): Promise<{ reference: string; dueAt: string }[]> {
  const rows = await testDatabase().db.execute<{ body: string }>(sql`
    select content as body from events where integrator_id = ${id} and event = 'card.reverse-transaction'
    order by id`);
  return rows
    .map(({ body }) => (JSON.parse(body) as { data: Record<string, string> }).data)
    .filter(({ status }) => status === "expired")
    .map(({ reference = "", due_at: dueAt = "" }) => ({ reference, dueAt }));
}

/** Authorizes 1 in a transaction that is still open. */
async function authorizeIn({ tx, ...caller }: WriteContext, cardId: string): Promise<string> {
  const unsaid = { currency: null, narrative: null, merchant: null };
  const wanted = { ...caller, ...unsaid, cardId, amount: 1, expiresInS: HOLD_LIFE_S };
  return (await performOne(tx, authorize, wanted)).transaction.id;
}

/** An authorization whose transaction commits when it is told to. */
export async function beginHold(
  integrator: TestIntegrator,
  cardId: string,
): Promise<{ commit: () => Promise<string> }> {
  const { promise: mayCommit, resolve: letCommit } = Promise.withResolvers<void>();
  const { promise: begun, resolve: reportBegun } = Promise.withResolvers<void>();
  const held = write(integrator, async (ctx) => {
    const id = await authorizeIn(ctx, cardId);
    reportBegun();
    await mayCommit;
    return id;
  });
  await Promise.race([begun, held]);
  return {
    commit: () => {
      letCommit();
      return held;
    },
  };
}

/** Reads the clock so often that a move that waits for nothing would have completed. */
export async function expectStillMoving(integrator: TestIntegrator): Promise<void> {
  for (let looks = 0; looks < 30; looks += 1) {
    expect((await clockOf(integrator)).advancingTo).not.toBeNull();
  }
}
