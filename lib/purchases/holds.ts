import { and, eq, sql } from "drizzle-orm";
import { lockCard } from "#lib/cards/card-lock.ts";
import type { LockedCard } from "#lib/cards/card-lock.ts";
import { toOpenHold, toTransactionEvent } from "#lib/transactions/card-transaction-records.ts";
import type { WriteContext } from "#lib/base/context.ts";
import { DomainError, notFound } from "#lib/base/errors.ts";
import type { ErrorCode } from "#lib/base/errors.ts";
import { recordEvents } from "#lib/record/events.ts";
import { isId } from "#lib/base/ids.ts";
import { adjustHeld } from "#lib/ledger/decide.ts";
import { toWorkingBalances, writeHeld } from "#lib/ledger/holds.ts";
import { formatMoney } from "#lib/base/money.ts";
import { endSpentCard, isSpentBy } from "#lib/purchases/settlement.ts";
import type { Transaction } from "#lib/transactions/transactions.ts";
import { transactions } from "#db/schema/cards.ts";

/** An authorization that still holds funds, and its locked card. `open` is the amount still held. */
export interface OpenHold {
  card: LockedCard;
  authorization: Transaction;
  open: number;
  /** By the database's clock. The next expiry run releases it. */
  expired: boolean;
}

/**
 * Releases what an authorization holds, or part of it.
 * @param amount minor units; null for everything still held.
 * @throws DomainError `authorization_not_found`, `authorization_captured`, `…_reversed`, `…_expired`, `…_declined`,
 *   `reversal_exceeds_hold`, `books_unbalanced`.
 */
export async function reverseAuthorization(
  ctx: WriteContext,
  id: string,
  { amount, cardId }: { amount: number | null; cardId?: string },
): Promise<Transaction> {
  const hold = requireUnexpired(await lockOpenHold(ctx, id, cardId));
  const released = amount ?? hold.open;
  if (released > hold.open) {
    const money = (sum: number) => formatMoney(sum, hold.authorization.currency);
    throw new DomainError(
      "reversal_exceeds_hold",
      `${money(hold.open)} is still held; a reversal of ${money(released)} was requested.`,
    );
  }
  return release(ctx, hold, { amount: released, status: "reversed" });
}

/**
 * Releases what an expired authorization still holds.
 * @returns undefined if there is nothing to do: it was captured or reversed in the meantime, or has not expired.
 */
export async function expireAuthorization(
  ctx: WriteContext,
  id: string,
): Promise<Transaction | undefined> {
  const { cardId } = await readAuthorization(ctx, id);
  const card = await lockCard(ctx, cardId);
  const { authorization, expired } = await readAuthorization(ctx, id);
  const open = toOpenHold(authorization);
  if (open === 0 || !expired) {
    return undefined;
  }
  return release(ctx, { card, authorization, open, expired }, { amount: open, status: "expired" });
}

/**
 * Locks the card of an authorization and reads its hold.
 * @param ofCard the card that the authorization must belong to, if the caller named one.
 * @throws DomainError that says why nothing is held anymore.
 */
export async function lockOpenHold(
  ctx: WriteContext,
  id: string,
  ofCard?: string,
): Promise<OpenHold> {
  const { cardId } = await readAuthorization(ctx, id);
  if (ofCard !== undefined && cardId !== ofCard) {
    throw notFound("authorization_not_found");
  }
  const card = await lockCard(ctx, cardId);
  // Read again, now that the lock prevents changes.
  const { authorization, expired } = await readAuthorization(ctx, id);
  const open = toOpenHold(authorization);
  if (open === 0) {
    throw toEndedRefusal(authorization);
  }
  return { card, authorization, open, expired };
}

/** @throws DomainError `authorization_expired`. */
export function requireUnexpired(hold: OpenHold): OpenHold {
  if (hold.expired) {
    throw new DomainError("authorization_expired", ENDED.expired.detail);
  }
  return hold;
}

interface Ended {
  code: ErrorCode;
  detail: string;
}

const ENDED: Readonly<Record<Transaction["status"], Ended>> = {
  authorized: {
    code: "authorization_captured",
    detail: "This authorization no longer holds anything.",
  },
  settled: {
    code: "authorization_captured",
    detail:
      "This authorization was captured and no longer holds anything. To return money, refund the purchase.",
  },
  reversed: {
    code: "authorization_reversed",
    detail: "This authorization was reversed. Create a new authorization.",
  },
  expired: {
    code: "authorization_expired",
    detail:
      "This authorization has expired and no longer holds anything. Create a new authorization.",
  },
  declined: {
    code: "authorization_declined",
    detail: "This transaction was declined, so it never held anything.",
  },
};

function toEndedRefusal({ status }: Transaction): DomainError {
  const { code, detail } = ENDED[status];
  return new DomainError(code, detail);
}

async function readAuthorization(
  ctx: WriteContext,
  id: string,
): Promise<{ cardId: string; authorization: Transaction; expired: boolean }> {
  const [row] = isId(id)
    ? await ctx.tx
        .select({
          authorization: transactions,
          expired: sql<boolean>`coalesce(${transactions.holdExpiresAt} <= clock_timestamp(), false)`,
        })
        .from(transactions)
        .where(
          and(
            eq(transactions.integratorId, ctx.actor.integratorId),
            eq(transactions.id, id),
            eq(transactions.type, "deduct"),
          ),
        )
    : [];
  if (!row) {
    throw notFound("authorization_not_found");
  }
  return { ...row, cardId: row.authorization.cardId };
}

async function release(
  ctx: WriteContext,
  hold: OpenHold,
  { amount, status }: { amount: number; status: "reversed" | "expired" },
): Promise<Transaction> {
  const { card, authorization } = hold;
  const balances = toWorkingBalances(card.accounts);
  const funds = balances.get(card.account.id);
  if (!funds) {
    throw new Error(`Card ${card.account.id} is locked but has no working balance.`);
  }
  adjustHeld(funds, -amount);
  await writeHeld(ctx.tx, { accounts: card.accounts, balances });
  const isWhole = authorization.status === "authorized" && amount === hold.open;
  const transaction = await updateHold(ctx, authorization, {
    holdReleased: (authorization.holdReleased ?? 0) + amount,
    ...(isWhole ? { status } : {}),
  });
  await recordEvents(ctx.tx, card.integrator, [
    toTransactionEvent(ctx, "card.reverse-transaction", {
      transaction,
      amount,
      status,
      balance: card.account.balance,
    }),
  ]);
  if (authorization.status === "settled" && isSpentBy(card, amount)) {
    await endSpentCard(ctx, { ...card, account: { ...card.account, held: funds.held } });
  }
  return transaction;
}

/** Updates an authorization's row, under the lock of its card. */
export async function updateHold(
  ctx: WriteContext,
  authorization: Transaction,
  changes: Partial<typeof transactions.$inferInsert>,
): Promise<Transaction> {
  const [changed] = await ctx.tx
    .update(transactions)
    .set(changes)
    .where(
      and(
        eq(transactions.integratorId, ctx.actor.integratorId),
        eq(transactions.id, authorization.id),
      ),
    )
    .returning();
  if (!changed) {
    throw new Error(`Authorization ${authorization.id} no longer exists.`);
  }
  return changed;
}
