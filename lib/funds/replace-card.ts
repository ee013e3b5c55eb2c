import { and, eq } from "drizzle-orm";
import { requireSecondPerson } from "#lib/approvals/second-person.ts";
import { toReadContext } from "#lib/base/context.ts";
import type { WriteContext } from "#lib/base/context.ts";
import { DomainError } from "#lib/base/errors.ts";
import { nowOf } from "#lib/base/moment.ts";
import { issueCard } from "#lib/cards/card-issue.ts";
import { lockCards, lockCardsAndFloat, requireCardAccount } from "#lib/cards/card-lock.ts";
import { findCards } from "#lib/cards/card-reads.ts";
import type { Card } from "#lib/cards/card-resource.ts";
import type { FreezeLevel } from "#lib/cards/card-state.ts";
import { requireCardRecipient } from "#lib/cards/cardholder-archive.ts";
import { toNotLiftable } from "#lib/cards/freeze-rights.ts";
import { findFreezesAtClose } from "#lib/cards/freezes-at-close.ts";
import { decideClose, writeClosed } from "#lib/funds/close-card.ts";
import { decideMoves } from "#lib/funds/funds.ts";
import { toSwept } from "#lib/funds/sweep.ts";
import { toMoveRecords } from "#lib/funds/internal/funds-records.ts";
import { requireUnpaused } from "#lib/ledger/accounts.ts";
import type { Locked } from "#lib/ledger/accounts.ts";
import { unchangedAccounts } from "#lib/ledger/decide.ts";
import { recordAudit } from "#lib/record/audit.ts";
import { hasPurchase } from "#lib/transactions/card-purchases.ts";
import { writeChanges } from "#lib/transactions/write-changes.ts";
import type { Changes } from "#lib/transactions/write-changes.ts";
import { cards } from "#db/schema/cards.ts";

/** How to replace a card. */
export interface Replacing {
  /** Whether the card's available balance moves to the new one. Otherwise it stays in the float. */
  moveBalance: boolean;
  /** Why the card is closed. */
  comment: string | null;
  /** The levels of freezes that the caller may lift. */
  mayLift: readonly FreezeLevel[];
}

/**
 * Replaces a card that was lost, stolen, or compromised by a new one with the same cardholder, name, design, metadata,
 * spending controls, and validity in days. The new card has used nothing of its spending limits. The replaced card is
 * closed, if it is not already, and keeps what its open authorizations hold. A card can be replaced only once.
 * @returns the new card.
 * @throws DomainError `card_not_found`, `card_replaced`, `freeze_not_liftable`, `single_use_spent`, `user_archived`,
 * `user_erased`, `balance_limit_exceeded`, `insufficient_float`, `books_unbalanced`, `clock_advancing`. HeldUp if
 * somebody else must approve the move.
 */
export async function replaceCard(
  ctx: WriteContext,
  id: string,
  replacing: Replacing,
): Promise<Card> {
  const { tx, actor, request } = ctx;
  const { integratorId } = actor;
  const { accounts, integrator } = await lockCards(tx, integratorId, [id]);
  requireUnpaused(integrator);
  const { spendingControls } = requireCardAccount(accounts, id);
  const replaced = await readCard(ctx, id);
  await requireReplaceable(ctx, replaced, replacing);
  await requireCardRecipient(ctx, replaced.cardholderId);
  const card = await issueCard(ctx, integrator, { ...replaced, spendingControls, replaces: id });
  await tx
    .update(cards)
    .set({ replacedBy: card.id, updatedAt: nowOf(tx) })
    .where(and(eq(cards.integratorId, integratorId), eq(cards.id, id)));
  if (replaced.status !== "closed") {
    await close(ctx, { replaced, card }, replacing);
  }
  await recordAudit(tx, integratorId, [
    {
      actor: actor.ref,
      request,
      action: "card.replaced",
      targetType: "card",
      targetId: id,
      before: null,
      after: { replaced_by: card.id },
    },
  ]);
  return readCard(ctx, card.id);
}

/** @throws DomainError `card_replaced`, `freeze_not_liftable`, `single_use_spent`. */
async function requireReplaceable(
  ctx: WriteContext,
  card: Card,
  { mayLift }: Replacing,
): Promise<void> {
  if (card.replacedBy !== null) {
    throw new DomainError(
      "card_replaced",
      `This card was replaced by the card ${card.replacedBy}. A card is replaced once: replace that one instead.`,
    );
  }
  // Closing a card ends its freezes, and must not be a way around them.
  const freezes = card.status === "closed" ? await findFreezesAtClose(ctx, card.id) : card.freezes;
  const other = freezes.find(({ level }) => !mayLift.includes(level));
  if (other) {
    throw toNotLiftable(other);
  }
  if (card.singleUse && (await hasPurchase(toReadContext(ctx), card.id))) {
    throw new DomainError(
      "single_use_spent",
      "This single-use card has had its purchase. Create another card instead.",
    );
  }
}

interface Pair {
  replaced: Card;
  card: Card;
}

/** Closes the replaced card. No other transaction knows the new card yet, so it can be locked out of order. */
async function close(
  ctx: WriteContext,
  { replaced, card }: Pair,
  { moveBalance, comment }: Replacing,
): Promise<void> {
  const { tx, actor } = ctx;
  const locked = await lockCardsAndFloat(tx, actor.integratorId, [replaced.id, card.id]);
  const { accounts, integrator } = locked;
  const account = requireCardAccount(accounts, replaced.id);
  const swept = decideClose(ctx, { integrator, account }, unchangedAccounts(accounts));
  const moving = { caller: ctx, amount: toSwept(swept), cards: [replaced.id] };
  await requireSecondPerson(tx, integrator, [moving]);
  const amount = moveBalance ? account.balance - account.held : 0;
  const changes = amount > 0 ? decideCredit(ctx, locked, { swept, card, amount }) : swept;
  await writeChanges(tx, integrator, changes);
  await writeClosed(ctx, replaced.id, comment);
}

/** Decides to credit the new card with what the replaced one returned to the float. */
function decideCredit(
  { actor, request }: WriteContext,
  { integrator, accounts }: Locked,
  { swept, card, amount }: { swept: Changes; card: Card; amount: number },
): Changes {
  const { results, moves, ...decided } = decideMoves(
    { integrator, cards: [card], changes: swept },
    [{ actor, request, kind: "credit", cardId: card.id, amount }],
  );
  const [result] = results;
  if (result && "refusal" in result) {
    throw result.refusal;
  }
  const { transactions, events, audit } = toMoveRecords({ integrator, accounts }, moves);
  return {
    ...decided,
    transactions: [...(swept.transactions ?? []), ...transactions],
    events: [...(swept.events ?? []), ...events],
    audit: [...(swept.audit ?? []), ...audit],
  };
}

async function readCard({ tx, actor }: WriteContext, id: string): Promise<Card> {
  const [card] = await findCards(tx, actor.integratorId, [id]);
  if (!card) {
    throw new Error(`Card ${id} was locked but cannot be read.`);
  }
  return card;
}
