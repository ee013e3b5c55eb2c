import { sql } from "drizzle-orm";
import { HeldUp } from "#lib/approvals/held-up.ts";
import { requireSecondPerson } from "#lib/approvals/second-person.ts";
import type { WriteContext } from "#lib/base/context.ts";
import { DomainError } from "#lib/base/errors.ts";
import { ITEMS_MAX } from "#lib/bulk/bulk-job.ts";
import type { BulkCard, BulkRequest } from "#lib/bulk/bulk-job.ts";
import { lockCardsAndFloat } from "#lib/cards/card-lock.ts";
import type { Tx } from "#db/transaction.ts";

const MOVING: ReadonlySet<BulkRequest["operation"]> = new Set(["credit", "debit", "close"]);

/**
 * Requires a second person for a job by the total that it is to move. A job that moves nothing needs nobody. The float
 * is locked, so that no other move of the account is counted in the meantime.
 * @throws HeldUp if somebody else must approve it; DomainError `validation_failed` if it has too many cards for that,
 * `approval_outdated`.
 */
export async function requireSecondPersonForJob(
  ctx: WriteContext,
  { operation, isCheck }: BulkRequest,
  items: readonly BulkCard[],
): Promise<void> {
  if (isCheck || !MOVING.has(operation)) {
    return;
  }
  const { tx, actor, clearance } = ctx;
  const { integrator } = await lockCardsAndFloat(tx, actor.integratorId, []);
  if (integrator.approval === null && clearance === undefined) {
    return;
  }
  const all = items.some(({ amount }) => amount === null)
    ? await readAvailable(tx, actor.integratorId, items)
    : new Map<string, number>();
  const moves = items.map((item) => ({
    ...item,
    amount: item.amount ?? all.get(item.cardId) ?? 0,
  }));
  const moving = {
    caller: ctx,
    amount: moves.reduce((sum, { amount }) => sum + amount, 0),
    cards: items.map(({ cardId }) => cardId),
  };
  if (items.length <= ITEMS_MAX) {
    const fixed = toFixed(operation, moves);
    await requireSecondPerson(tx, integrator, [{ ...moving, fixed }]);
    return;
  }
  await requireSecondPerson(tx, integrator, [moving]).catch((error: unknown) => {
    throw error instanceof HeldUp ? tooMany() : error;
  });
}

function tooMany(): DomainError {
  const message = `A job that somebody else must approve has at most ${ITEMS_MAX} cards. Narrow it, and make several jobs.`;
  return new DomainError("validation_failed", message, { filter: [message] });
}

/** Fixes the cards of a filter and the amounts of `"all"`, because both may be different when the job is approved. */
function toFixed(
  operation: BulkRequest["operation"],
  items: readonly (BulkCard & { amount: number })[],
) {
  return {
    filter: undefined,
    items: items.map(({ cardId, amount, narrative, seenVersion }) => ({
      card_id: cardId,
      ...(operation !== "close" && amount > 0 && { amount }),
      ...(narrative !== null && { narrative }),
      ...(seenVersion !== null && { status_version: seenVersion }),
    })),
  };
}

async function readAvailable(
  tx: Tx,
  integratorId: string,
  items: readonly BulkCard[],
): Promise<ReadonlyMap<string, number>> {
  const ids = [...new Set(items.map(({ cardId }) => cardId))];
  const rows = await tx.execute<{ id: string; available: number }>(sql`
    select account.id, (account.balance - account.held)::float8 as available
    from unnest(${sql.param(ids)}::uuid[]) as named (id)
    cross join lateral (
      select id, balance, held from ledger_accounts
      where integrator_id = ${integratorId} and id = named.id and kind = 'card' offset 0
    ) account`);
  return new Map(rows.map(({ id, available }) => [id, available]));
}
