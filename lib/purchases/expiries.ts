import { and, eq, sql } from "drizzle-orm";
import type { WriteContext } from "#lib/base/context.ts";
import { hasPassed } from "#lib/base/deadline-clock.ts";
import { requireCardAccount } from "#lib/cards/card-lock.ts";
import { lockCards, findSuspension } from "#lib/ledger/accounts.ts";
import type { CardAccount, LockedAccounts } from "#lib/ledger/accounts.ts";
import { adjustAccountHeld, unchangedAccounts } from "#lib/ledger/decide.ts";
import { expireAuthorization, toReleased } from "#lib/purchases/holds.ts";
import { toOpenHold } from "#lib/transactions/transaction-resource.ts";
import type { Transaction } from "#lib/transactions/transactions.ts";
import { writeChanges } from "#lib/transactions/write-changes.ts";
import type { TransactionUpdate } from "#lib/transactions/write-changes.ts";
import type { EventDraft } from "#lib/record/events.ts";
import { transactions } from "#db/schema/transactions.ts";
import { pipeline } from "#db/pipeline.ts";

/** An authorization that may have expired, and its card. */
export interface ExpiringHold {
  id: string;
  cardId: string;
}

/**
 * Releases what expired authorizations of one integrator still hold: any number in one transaction, in order, each as
 * `expireAuthorization` does. Those that hold nothing or have not expired stay as they are.
 * @throws DomainError as `expireAuthorization`.
 */
export async function expireAuthorizations(
  ctx: WriteContext,
  holds: readonly ExpiringHold[],
): Promise<void> {
  if (holds.length === 0) {
    return;
  }
  const { integratorId } = ctx.actor;
  const cardIds = holds.map(({ cardId }) => cardId);
  const [{ accounts, integrator }, rows] = await pipeline([
    lockCards(ctx.tx, integratorId, cardIds),
    readHolds(ctx, holds),
  ]);
  const suspension = findSuspension(integrator);
  if (suspension) {
    throw suspension;
  }
  const before = holds.findIndex(({ cardId }) => mayEnd(requireCardAccount(accounts, cardId)));
  const together = before === -1 ? holds : holds.slice(0, before);
  const byId = new Map(rows.map((row) => [row.id, row]));
  const expired = together
    .flatMap(({ id }) => byId.get(id) ?? [])
    .filter((row) => toOpenHold(row) > 0 && hasPassed(integrator, row.holdExpiresAt, accounts.at));
  const { changes, ...records } = decideReleases(ctx, accounts, expired);
  await writeChanges(ctx.tx, integrator, { ...changes, ...records });
  const alone = holds[together.length];
  if (alone) {
    await expireAuthorization(ctx, alone.id);
    await expireAuthorizations(ctx, holds.slice(together.length + 1));
  }
}

/** Whether a release may sweep the card to the float. Such a hold is released alone, in a step that locks the float. */
function mayEnd({ singleUse, status }: CardAccount): boolean {
  return singleUse || status === "closed";
}

function decideReleases(
  ctx: WriteContext,
  accounts: LockedAccounts,
  expired: readonly Transaction[],
) {
  const changes = unchangedAccounts(accounts);
  const updates: TransactionUpdate[] = [];
  const events: EventDraft[] = [];
  for (const authorization of expired) {
    const amount = toOpenHold(authorization);
    const { balance } = adjustAccountHeld(changes, authorization.cardId, -amount);
    const { update, event } = toReleased(ctx, authorization, {
      amount,
      status: "expired",
      balance,
    });
    updates.push(update);
    events.push(event);
  }
  return { changes, updates, events };
}

/** Must run after the cards are locked. */
async function readHolds(
  { tx, actor }: WriteContext,
  holds: readonly ExpiringHold[],
): Promise<Transaction[]> {
  const ids = holds.map(({ id }) => id);
  return tx
    .select()
    .from(transactions)
    .where(
      and(
        eq(transactions.integratorId, actor.integratorId),
        sql`${transactions.id} = any(${sql.param(ids)}::uuid[])`,
      ),
    );
}
