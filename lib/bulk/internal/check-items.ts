import { isDomainError, notFound } from "#lib/base/errors.ts";
import type { BulkItem, BulkJob } from "#lib/bulk/bulk-job.ts";
import { toDeed } from "#lib/bulk/internal/deeds.ts";
import type { Deed, Deeds, Work } from "#lib/bulk/internal/deeds.ts";
import {
  toCaller,
  toControlsRequest,
  toFundsRequests,
  toStatusRequests,
} from "#lib/bulk/internal/item-requests.ts";
import { findCards } from "#lib/cards/card-reads.ts";
import type { Card } from "#lib/cards/card-resource.ts";
import { decideStatuses } from "#lib/cards/card-status.ts";
import { withOwnControls } from "#lib/cards/spending-controls.ts";
import { decideControls } from "#lib/cards/spending-update.ts";
import { decideClose } from "#lib/funds/close-card.ts";
import { decideMoves } from "#lib/funds/funds.ts";
import type { Result } from "#lib/group-commit/batch.ts";
import { findCardAccount, readCardsAndFloat, requireUnpaused } from "#lib/ledger/accounts.ts";
import type { Locked } from "#lib/ledger/accounts.ts";
import { unchangedAccounts } from "#lib/ledger/decide.ts";
import type { AccountChanges, WorkingBalances } from "#lib/ledger/decide.ts";
import type { Tx } from "#db/transaction.ts";

/** Decides the next items of a job. */
export type CheckItems = (tx: Tx, items: readonly BulkItem[]) => Promise<Deeds>;

/**
 * Returns a function that decides a job's items in order, by the same functions as the job itself. Each item is decided
 * on the cards and the float as earlier items would have left them. Nothing is locked or written.
 */
export function beginCheck(job: BulkJob, repeated: ReadonlySet<string>): CheckItems {
  const seen = new Map<string, Card>();
  const balances: WorkingBalances = new Map();
  return async (tx, items) => {
    const { integratorId } = job;
    const ids = items.map(({ cardId }) => cardId);
    const locked = await readCardsAndFloat(tx, integratorId, ids);
    for (const card of await findCards(tx, integratorId, ids)) {
      seen.set(card.id, seen.get(card.id) ?? card);
    }
    for (const [id, funds] of unchangedAccounts(locked.accounts).balances) {
      balances.set(id, balances.get(id) ?? funds);
    }
    const deeds = await decide(tx, { job, items, seen }, { locked, balances });
    // Forgets cards that no later item names, because a job may have 100,000 cards.
    for (const id of ids.filter((each) => !repeated.has(each))) {
      seen.delete(id);
      balances.delete(id);
    }
    return deeds;
  };
}

/** The accounts of items as they were read, and their balances as earlier items have left them. */
interface Accounts {
  locked: Locked;
  balances: WorkingBalances;
}

async function decide(tx: Tx, work: Work, { locked, balances }: Accounts): Promise<Deeds> {
  const { job, items, seen } = work;
  const { operation } = job;
  const changes = { accounts: locked.accounts, balances, postings: [] };
  const { integrator } = locked;
  if (operation === "close") {
    return items.map((item) => checkClose(work, item, { integrator, changes }));
  }
  if (operation === "set_spending_controls") {
    return items.map((item) => checkControls(work, item, integrator));
  }
  const cards = [...new Set(items.map(({ cardId }) => cardId))].flatMap((id) => seen.get(id) ?? []);
  if (operation === "credit" || operation === "debit") {
    const requests = toFundsRequests(job, operation, items);
    const { results } = decideMoves({ integrator, cards, changes }, requests);
    return results.map((result) => ("refusal" in result ? result : toDeed(work, result.done)));
  }
  const { results } = decideStatuses({ ...locked, cards }, await toStatusRequests(tx, job, items));
  return results.map((result) => ("refusal" in result ? result : toDeed(work, result.done)));
}

function checkClose(
  work: Work,
  { cardId }: BulkItem,
  { integrator, changes }: Pick<Locked, "integrator"> & { changes: AccountChanges },
): Result<Deed> {
  const card = work.seen.get(cardId);
  const account = findCardAccount(changes.accounts, cardId);
  if (!card || !account) {
    return { refusal: notFound("card_not_found") };
  }
  const left = { integrator, account: { ...account, status: card.status } };
  try {
    const { balances } = decideClose(toCaller(work.job), left, changes);
    requireUnpaused(integrator);
    const { balance = card.balance } = balances.get(cardId) ?? {};
    return toDeed(work, { card: { ...card, status: "closed", balance } });
  } catch (error) {
    if (isDomainError(error)) {
      return { refusal: error };
    }
    throw error;
  }
}

function checkControls(work: Work, item: BulkItem, integrator: Locked["integrator"]): Result<Deed> {
  const card = work.seen.get(item.cardId);
  const { controls, requireSeen } = toControlsRequest(work.job, item);
  try {
    requireUnpaused(integrator);
    if (card) {
      requireSeen?.(card);
    }
    return toDeed(work, {
      card: card && decideControls(card, controls) ? withOwnControls(card, controls) : card,
    });
  } catch (error) {
    if (isDomainError(error)) {
      return { refusal: error };
    }
    throw error;
  }
}
