import { and, desc, eq } from "drizzle-orm";
import { lockCard } from "#lib/cards/card-lock.ts";
import type { LockedCard } from "#lib/cards/card-lock.ts";
import { adjustAccountHeld, unchangedAccounts } from "#lib/ledger/decide.ts";
import { toTransactionEvent } from "#lib/transactions/card-transaction-records.ts";
import { toOpenHold } from "#lib/transactions/transaction-resource.ts";
import { toReadContext } from "#lib/base/context.ts";
import type { WriteContext } from "#lib/base/context.ts";
import { hasPassed, toDeadlineTime } from "#lib/base/deadline-clock.ts";
import { DomainError, notFound } from "#lib/base/errors.ts";
import type { ErrorCode } from "#lib/base/error-codes.ts";
import { requireSandboxOf } from "#lib/base/sandbox.ts";
import { countLess } from "#lib/transactions/counted.ts";
import { writeChanges } from "#lib/transactions/write-changes.ts";
import {
  isSpentBy,
  lockForSweep,
  toSettlement,
  writeSettlement,
} from "#lib/purchases/internal/settlement.ts";
import type { Settlement } from "#lib/purchases/internal/settlement.ts";
import { findTransaction } from "#lib/transactions/transactions.ts";
import type { Transaction } from "#lib/transactions/transactions.ts";
import { OPEN_HOLD, transactions } from "#db/schema/transactions.ts";
import { pipeline } from "#db/pipeline.ts";

/** An authorization and its locked card. `open` is the amount still held. */
export interface Hold {
  card: LockedCard;
  authorization: Transaction;
  open: number;
  /** By the integrator's clock. The next expiry run releases it. */
  expired: boolean;
}

/** How much of an authorization to release. */
export interface ReversalRequest {
  /** Minor units. Null for everything still held. */
  amount: number | null;
  /** The card that the authorization must belong to. Naming it saves a read. */
  cardId?: string;
  /** When it happened by the network's clock. */
  occurredAt?: Date | null;
}

/**
 * Records that the card network has reversed an authorization, in whole or in part: releases at most what it still
 * holds.
 * @returns the authorization, unchanged when it holds nothing anymore.
 * @throws DomainError `card_not_found`, `authorization_not_found`, `clock_advancing`.
 */
export async function reverseAuthorization(
  ctx: WriteContext,
  id: string,
  { amount, cardId, occurredAt = null }: ReversalRequest,
): Promise<Transaction> {
  const hold = await lockCurrentHold(ctx, id, cardId);
  const released = Math.min(amount ?? hold.open, hold.open);
  return released === 0
    ? hold.authorization
    : release(ctx, hold, { amount: released, status: "reversed", occurredAt });
}

/**
 * Releases what an expired authorization still holds.
 * @returns undefined if there is nothing to do: it was captured or reversed in the meantime, or has not expired.
 */
export async function expireAuthorization(
  ctx: WriteContext,
  id: string,
): Promise<Transaction | undefined> {
  const hold = await lockHold(ctx, id);
  if (hold.open === 0 || !hold.expired) {
    return undefined;
  }
  return release(ctx, hold, { amount: hold.open, status: "expired" });
}

/**
 * Expires an open authorization now, in the sandbox: moves its deadline to this moment, then does what the expiry run
 * does. A deadline that has passed already stays.
 * @throws DomainError `sandbox_only`, `card_not_found`, `authorization_not_found`, `authorization_captured`,
 *   `…_reversed`, `…_expired`, `…_declined`.
 */
export async function expireAuthorizationNow(
  ctx: WriteContext,
  id: string,
  { cardId }: { cardId: string },
): Promise<Transaction> {
  const { card, expired, authorization } = await lockOpenHold(ctx, id, cardId);
  requireSandboxOf(card.integrator);
  if (!expired) {
    await writeChanges(ctx.tx, card.integrator, {
      ...unchangedAccounts(card.accounts),
      updates: [
        {
          id: authorization.id,
          set: { holdExpiresAt: toDeadlineTime(card.integrator, card.accounts.at) },
        },
      ],
    });
  }
  const transaction = await expireAuthorization(ctx, authorization.id);
  if (!transaction) {
    throw new Error(
      `Authorization ${id} is locked, open, and past its deadline, but did not expire.`,
    );
  }
  return transaction;
}

/**
 * Locks the card of an authorization and reads its hold.
 * @param ofCard the card that the authorization must belong to. Naming it saves a read.
 * @throws DomainError that says why nothing is held anymore.
 */
export async function lockOpenHold(ctx: WriteContext, id: string, ofCard?: string): Promise<Hold> {
  const hold = await lockCurrentHold(ctx, id, ofCard);
  if (hold.open === 0) {
    throw toEndedRefusal(hold.authorization);
  }
  return hold;
}

/**
 * Like `lockOpenHold`, but also returns an authorization that holds nothing. If such an authorization has an open
 * increment, returns the increment's hold instead.
 * @throws DomainError `card_not_found`, `authorization_not_found`, `clock_advancing`.
 */
export async function lockCurrentHold(
  ctx: WriteContext,
  id: string,
  ofCard?: string,
): Promise<Hold> {
  const hold = await lockHold(ctx, id, ofCard);
  const authorization = hold.open === 0 ? await findOpenIncrement(ctx, id) : undefined;
  return authorization ? toHold(hold.card, authorization) : hold;
}

/** The open increment of an ended authorization. There is at most one, because later increments grow it. */
async function findOpenIncrement({ tx, actor }: WriteContext, id: string) {
  const [increment] = await tx
    .select()
    .from(transactions)
    .where(
      and(
        eq(transactions.integratorId, actor.integratorId),
        eq(transactions.incrementOf, id),
        OPEN_HOLD,
      ),
    )
    .orderBy(desc(transactions.id))
    .limit(1);
  return increment;
}

async function lockHold(ctx: WriteContext, id: string, ofCard?: string): Promise<Hold> {
  const cardId = ofCard ?? (await readAuthorization(ctx, id)).cardId;
  // Reads it after the lock, which prevents changes.
  const [card, authorization] = await pipeline([lockCard(ctx, cardId), readAuthorization(ctx, id)]);
  if (authorization.cardId !== cardId) {
    throw notFound("authorization_not_found");
  }
  return toHold(card, authorization);
}

function toHold(card: LockedCard, authorization: Transaction): Hold {
  const { integrator, accounts } = card;
  return {
    card,
    authorization,
    open: toOpenHold(authorization),
    expired: hasPassed(integrator, authorization.holdExpiresAt, accounts.at),
  };
}

/** @throws DomainError `authorization_expired`. */
export function requireUnexpired(hold: Hold): Hold {
  if (hold.expired) {
    throw new DomainError("authorization_expired", ENDED.expired.detail);
  }
  return hold;
}

interface Ended {
  code: ErrorCode;
  detail: string;
}

const CAPTURED: Ended = {
  code: "authorization_captured",
  detail:
    "This authorization was captured and no longer holds anything. To return money, refund the purchase.",
};

const ENDED: Readonly<Record<Transaction["status"], Ended>> = {
  authorized: {
    code: "authorization_captured",
    detail: "This verification holds nothing.",
  },
  captured: CAPTURED,
  settled: CAPTURED,
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

/** The error that explains why an authorization holds nothing anymore. */
export function toEndedRefusal({ status }: Transaction): DomainError {
  const { code, detail } = ENDED[status];
  return new DomainError(code, detail);
}

async function readAuthorization(ctx: WriteContext, id: string): Promise<Transaction> {
  const row = await findTransaction(toReadContext(ctx), id);
  if (row?.type !== "deduct" && row?.type !== "verification") {
    throw notFound("authorization_not_found");
  }
  return row;
}

/** Minor units. */
interface Released {
  amount: number;
  status: "reversed" | "expired";
  /** When it happened by the network's clock. */
  occurredAt?: Date | null;
}

async function release(
  ctx: WriteContext,
  hold: Hold,
  { amount, ...ended }: Released,
): Promise<Transaction> {
  const { balance } = hold.card.account;
  const { transaction, update, event } = toReleased(ctx, hold.authorization, {
    amount,
    balance,
    ...ended,
  });
  const settlement = await decideRelease(ctx, hold, amount);
  await writeSettlement(ctx, settlement, { updates: [update], events: [event] });
  return transaction;
}

/** An authorization after a release, what to write for it, and the event that reports it. Minor units. */
export function toReleased(
  ctx: WriteContext,
  authorization: Transaction,
  released: Released & { balance: number },
) {
  const { amount, status, occurredAt = null } = released;
  const isWhole = authorization.status === "authorized" && amount === toOpenHold(authorization);
  const isCaptured = (authorization.holdCaptured ?? 0) > 0;
  const set = {
    holdReleased: (authorization.holdReleased ?? 0) + amount,
    ...(isWhole ? { status: isCaptured ? ("captured" as const) : status } : {}),
  };
  const recount = countLess(authorization, amount);
  const transaction = { ...authorization, ...set, ...recount.to };
  const dueAt = status === "expired" ? authorization.holdExpiresAt : null;
  const happened = { transaction, ...released, dueAt, occurredAt };
  return {
    transaction,
    update: { id: authorization.id, set, recount },
    event: toTransactionEvent(ctx, "card.reverse-transaction", happened),
  };
}

/**
 * Releases funds on their card, or to the float if the card is closed. The last release after a partial capture ends a
 * single-use card.
 */
async function decideRelease(ctx: WriteContext, hold: Hold, amount: number): Promise<Settlement> {
  const isSpent = hold.authorization.status === "settled" && isSpentBy(hold.card, amount);
  const card = await lockForSweep(ctx, hold.card, isSpent);
  const changes = unchangedAccounts(card.accounts);
  adjustAccountHeld(changes, card.account.id, -amount);
  return toSettlement(ctx, card, { changes, isSpent });
}
