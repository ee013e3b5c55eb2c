import { findCardAccount } from "#lib/cards/card-lock.ts";
import type { CardAccount } from "#lib/cards/card-lock.ts";
import {
  insertTransactions,
  EMPTY_TRANSACTION,
  toDeclined,
  toRowOrigin,
  unchangedBalances,
  toTransactionEvent,
} from "#lib/transactions/card-transaction-records.ts";
import type { Described, WholeTransaction } from "#lib/transactions/card-transaction-records.ts";
import type { Caller } from "#lib/base/context.ts";
import { findDecline } from "#lib/transactions/decline-rules.ts";
import type { Decline } from "#lib/transactions/decline-rules.ts";
import { notFound } from "#lib/base/errors.ts";
import { insertEvents, numberEvents } from "#lib/record/events.ts";
import type { EventDraft } from "#lib/record/events.ts";
import { booksUnbalanced } from "#lib/ledger/books-unbalanced.ts";
import { EMPTY_BATCH, findBatchOwner } from "#lib/group-commit/batch.ts";
import type { DecidedBatch, Result } from "#lib/group-commit/batch.ts";
import { lockCards, readTenant } from "#lib/ledger/accounts.ts";
import type { LockedAccounts, Tenant } from "#lib/ledger/accounts.ts";
import { moveHeld } from "#lib/ledger/decide.ts";
import type { Funds, WorkingBalances } from "#lib/ledger/decide.ts";
import { toWorkingBalances, writeHeld } from "#lib/ledger/holds.ts";
import type { Transaction } from "#lib/transactions/transactions.ts";
import { pipeline } from "#db/pipeline.ts";
import type { Tx } from "#db/transaction.ts";

/** What is asked of a card. Amounts in minor units. */
export interface SpendRequest extends Described {
  cardId: string;
  amount: number;
  /** Null: the card's own. */
  currency: string | null;
}

/** One request to authorize, and the caller. */
export interface AuthorizationRequest extends SpendRequest, Caller {
  /** Seconds until the hold expires, by the database's clock. */
  expiresInS: number;
}

/** Approved or declined; both are recorded. `available` is the card's, right afterwards. */
export interface Authorized {
  transaction: Transaction;
  available: number;
}

/**
 * Authorizes requests of one integrator: any number in one transaction, in their order. Each holds its amount on its card
 * or is declined, with its event. The float is not touched, so purchases never wait for each other's cards. A refusal
 * (no such card) is not recorded.
 */
export async function authorize(
  tx: Tx,
  requests: readonly AuthorizationRequest[],
): Promise<DecidedBatch<Authorized>> {
  const integratorId = findBatchOwner(requests);
  if (!integratorId) {
    return EMPTY_BATCH;
  }
  const cardIds = requests.map(({ cardId }) => cardId);
  const [accounts, tenant] = await pipeline([
    lockCards(tx, integratorId, cardIds),
    readTenant(tx, integratorId),
  ]);
  const batch = { tenant, accounts, balances: toWorkingBalances(accounts) };
  const results = requests.map((request) => decideOne(batch, request));
  return { results, write: () => writeDecisions(tx, batch, { requests, results }) };
}

/**
 * Why a card's rules decline a request, or null: it may be approved. Looks at nothing that the card's lock does not hold
 * still, but for a suspension of the whole integrator, which counts from the next transaction on.
 */
export function declineOf(
  tenant: Tenant,
  card: { account: CardAccount; funds: Funds },
  request: Pick<SpendRequest, "amount" | "currency">,
): Decline | null {
  const { account, funds } = card;
  return findDecline({
    suspended: tenant.suspended,
    status: account.status,
    expired: account.expired,
    singleUse: account.singleUse,
    held: funds.held,
    available: funds.balance - funds.held,
    cardCurrency: account.currency,
    amount: request.amount,
    currency: request.currency ?? account.currency,
  });
}

type RowResult = Result<Authorized & { transaction: WholeTransaction }>;

interface Batch {
  tenant: Tenant;
  accounts: LockedAccounts;
  balances: WorkingBalances;
}

function decideOne(batch: Batch, request: AuthorizationRequest): RowResult {
  if (batch.tenant.booksUnbalanced) {
    return { refusal: booksUnbalanced() };
  }
  const account = findCardAccount(batch.accounts, request.cardId);
  const funds = batch.balances.get(request.cardId);
  if (!account || !funds) {
    return { refusal: notFound("card_not_found") };
  }
  const decline = declineOf(batch.tenant, { account, funds }, request);
  if (!decline) {
    moveHeld(funds, request.amount);
  }
  const { at } = batch.accounts;
  const transaction: WholeTransaction = {
    ...EMPTY_TRANSACTION,
    ...toRowOrigin(request, account, batch.accounts),
    ...unchangedBalances(funds.balance),
    type: "deduct",
    amount: request.amount,
    narrative: request.narrative,
    merchant: request.merchant,
    ...(decline ? toDeclined(decline) : toHold(request, at)),
  };
  return { done: { transaction, available: funds.balance - funds.held } };
}

function toHold({ amount, expiresInS }: AuthorizationRequest, at: Date) {
  return {
    status: "authorized",
    holdAmount: amount,
    holdCaptured: 0,
    holdReleased: 0,
    holdExpiresAt: new Date(at.getTime() + expiresInS * 1_000),
  } as const;
}

async function writeDecisions(
  tx: Tx,
  { tenant, accounts, balances }: Batch,
  { requests, results }: { requests: readonly AuthorizationRequest[]; results: RowResult[] },
): Promise<void> {
  const rows: WholeTransaction[] = [];
  const drafts: EventDraft[] = [];
  for (const [index, request] of requests.entries()) {
    const result = results[index];
    if (result && "done" in result) {
      rows.push(result.done.transaction);
      drafts.push(toDecisionEvent(request, result.done.transaction));
    }
  }
  const events = numberEvents(tenant, accounts, drafts);
  await pipeline([
    writeHeld(tx, { accounts, balances }, events.counts),
    insertTransactions(tx, tenant.integratorId, rows),
    insertEvents(tx, tenant, events.rows),
  ]);
}

/** The event of a decision, whether it held or declined. */
export function toDecisionEvent(caller: Caller, transaction: Transaction) {
  return toTransactionEvent(
    caller,
    transaction.status === "declined" ? "card.transaction-declined" : "card.transaction",
    { transaction },
  );
}
