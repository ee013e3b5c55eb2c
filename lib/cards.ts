import { and, eq, sql } from "drizzle-orm";
import type { SQL } from "drizzle-orm";
import { recordAudit } from "#lib/audit.ts";
import { requireCardAccount } from "#lib/card-lock.ts";
import type { CardAccount } from "#lib/card-lock.ts";
import { cardCan } from "#lib/card-state.ts";
import type { CardStatus, FreezeReason, Obstacle } from "#lib/card-state.ts";
import { toCardResource } from "#lib/card-resource.ts";
import type { Card } from "#lib/card-resource.ts";
import { findCards, toCard } from "#lib/card-reads.ts";
import type { WriteContext } from "#lib/context.ts";
import { DomainError } from "#lib/errors.ts";
import type { EventName } from "#lib/events.ts";
import { insertEvents, numberEvents } from "#lib/events.ts";
import { sweepCard } from "#lib/funds.ts";
import { newId } from "#lib/ids.ts";
import { lockCards, lockCardsAndFloat, readTenant } from "#lib/ledger/accounts.ts";
import type { Tenant } from "#lib/ledger/accounts.ts";
import { cards, cardStateChanges } from "#db/schema/cards.ts";
import { ledgerAccounts } from "#db/schema/ledger.ts";
import { NOW } from "#db/schema/columns.ts";
import { together } from "#db/together.ts";

/**
 * Freezes a card: once this is committed, nothing that starts later can be approved on it. A frozen card stays as it is,
 * with its first reason.
 * @throws DomainError `card_not_found`, `card_closed`.
 */
export async function freezeCard(
  ctx: WriteContext,
  id: string,
  input: { reason: FreezeReason | null; comment: string | null },
): Promise<Card> {
  return changeStatus(ctx, id, {
    event: "card.frozen",
    to: "frozen",
    obstacle: cardCan.freeze,
    reason: input.reason,
    comment: input.comment,
  });
}

/**
 * Lifts a freeze. An active card stays as it is.
 * @throws DomainError `card_not_found`, `card_closed`.
 */
export async function unfreezeCard(
  ctx: WriteContext,
  id: string,
  input: { comment: string | null },
): Promise<Card> {
  return changeStatus(ctx, id, {
    event: "card.unfrozen",
    to: "active",
    obstacle: cardCan.unfreeze,
    reason: null,
    comment: input.comment,
  });
}

/**
 * Closes a card for good and sweeps what is available on it to the float.
 * @throws DomainError `card_not_found`, `card_closed`, `card_has_holds`, `books_unbalanced`.
 */
export async function closeCard(
  ctx: WriteContext,
  id: string,
  input: { comment: string | null },
): Promise<Card> {
  const tenant = await readTenant(ctx.tx, ctx.actor.integratorId);
  const accounts = await lockCardsAndFloat(ctx.tx, tenant.integratorId, [id]);
  const account = requireCardAccount(accounts, id);
  refuseIf(cardCan.close(account));
  await sweepCard(ctx, { tenant, accounts, cardId: id });
  return writeStatus(ctx, tenant, {
    account,
    change: {
      event: "card.closed",
      to: "closed",
      obstacle: cardCan.close,
      reason: null,
      comment: input.comment,
    },
  });
}

/**
 * Closes a single-use card whose purchase has settled and which holds nothing any more. The caller has locked it and has
 * swept what was left on it.
 */
export async function closeSpentCard(
  ctx: WriteContext,
  { tenant, account }: { tenant: Tenant; account: CardAccount },
): Promise<void> {
  await writeStatus(ctx, tenant, {
    account,
    change: {
      event: "card.closed",
      to: "closed",
      obstacle: cardCan.close,
      reason: null,
      comment: "Closed after its single use",
    },
  });
}

interface StatusChange {
  event: EventName;
  to: CardStatus;
  obstacle: (card: CardAccount) => Obstacle | null;
  reason: FreezeReason | null;
  comment: string | null;
}

async function changeStatus(ctx: WriteContext, id: string, change: StatusChange): Promise<Card> {
  const { integratorId } = ctx.actor;
  const [accounts, tenant] = await together([
    lockCards(ctx.tx, integratorId, [id]),
    readTenant(ctx.tx, integratorId),
  ]);
  const account = requireCardAccount(accounts, id);
  refuseIf(change.obstacle(account));
  if (account.status === change.to) {
    return requireCard(ctx, id);
  }
  return writeStatus(ctx, tenant, { account, change });
}

async function writeStatus(
  ctx: WriteContext,
  tenant: Tenant,
  { account, change }: { account: CardAccount; change: StatusChange },
): Promise<Card> {
  const { tx, actor, request } = ctx;
  const [accountRow, cardRow] = await together([
    updateAccount(ctx, account, change),
    updateCard(ctx, account, change),
    insertStateChange(ctx, account, change),
  ]);
  const card = toCard({ account: accountRow, card: cardRow });
  const { eventSequence, updatedAt: at } = accountRow;
  const events = numberEvents(
    tenant,
    { byId: new Map([[card.id, { eventSequence: eventSequence - 1 }]]), at },
    [
      {
        event: change.event,
        subject: { type: "card", id: card.id },
        actor: actor.ref,
        requestId: request.id,
        data: toCardResource(card),
        previous: { status: account.status },
      },
    ],
  );
  await together([
    insertEvents(tx, tenant, events.rows),
    recordAudit(tx, tenant.integratorId, [
      {
        actor: actor.ref,
        request,
        action: change.event,
        targetType: "card",
        targetId: card.id,
        before: { status: account.status },
        after: { status: change.to, reason: change.reason, comment: change.comment },
      },
    ]),
  ]);
  return card;
}

/** The status with the number of the event that tells of it. */
async function updateAccount(
  { tx, actor }: WriteContext,
  account: CardAccount,
  change: StatusChange,
): Promise<typeof ledgerAccounts.$inferSelect> {
  const [row] = await tx
    .update(ledgerAccounts)
    .set({
      status: change.to,
      eventSequence: sql`${ledgerAccounts.eventSequence} + 1`,
      updatedAt: NOW,
    })
    .where(
      and(eq(ledgerAccounts.integratorId, actor.integratorId), eq(ledgerAccounts.id, account.id)),
    )
    .returning();
  return requireRow(row, account);
}

async function updateCard(
  ctx: WriteContext,
  account: CardAccount,
  change: StatusChange,
): Promise<typeof cards.$inferSelect> {
  const [row] = await ctx.tx
    .update(cards)
    .set({ ...toFreezeColumns(ctx, change), updatedAt: NOW })
    .where(and(eq(cards.integratorId, ctx.actor.integratorId), eq(cards.id, account.id)))
    .returning();
  return requireRow(row, account);
}

function requireRow<Row>(row: Row | undefined, { id }: CardAccount): Row {
  if (!row) {
    throw new Error(`The card ${id} has an account but no description, or the other way round.`);
  }
  return row;
}

async function insertStateChange(
  { tx, actor, request }: WriteContext,
  account: CardAccount,
  change: StatusChange,
): Promise<void> {
  await tx.insert(cardStateChanges).values({
    integratorId: actor.integratorId,
    id: newId(),
    cardId: account.id,
    fromStatus: account.status === "closed" ? null : account.status,
    toStatus: change.to,
    reason: change.reason,
    comment: change.comment,
    actor: actor.ref,
    requestId: request.id,
  });
}

interface FreezeColumns {
  frozenAt: SQL | null;
  freezeReason: FreezeReason | null;
  freezeComment: string | null;
  frozenBy: WriteContext["actor"]["ref"] | null;
}

function toFreezeColumns(ctx: WriteContext, change: StatusChange): FreezeColumns {
  if (change.to !== "frozen") {
    return { frozenAt: null, freezeReason: null, freezeComment: null, frozenBy: null };
  }
  return {
    frozenAt: NOW,
    freezeReason: change.reason,
    freezeComment: change.comment,
    frozenBy: ctx.actor.ref,
  };
}

function refuseIf(obstacle: Obstacle | null): void {
  if (obstacle) {
    throw new DomainError(obstacle.code, obstacle.detail);
  }
}

async function requireCard(ctx: WriteContext, id: string): Promise<Card> {
  const [card] = await findCards(ctx.tx, ctx.actor.integratorId, [id]);
  if (!card) {
    throw new Error(`The card ${id} has an account but no description.`);
  }
  return card;
}
