import { lockCards } from "#lib/cards/card-lock.ts";
import { toStatusEvents } from "#lib/cards/status-records.ts";
import { findCardAccount, findPause } from "#lib/ledger/accounts.ts";
import type { CardAccount, IntegratorAccounts, Locked } from "#lib/ledger/accounts.ts";
import { adjustHeld, unchangedAccounts } from "#lib/ledger/decide.ts";
import type { Funds, AccountChanges } from "#lib/ledger/decide.ts";
import {
  EMPTY_TRANSACTION,
  toDeclined,
  toDescribed,
  toRowOrigin,
  unchangedBalances,
  toTransactionEvent,
} from "#lib/transactions/card-transaction-records.ts";
import type {
  PurchaseDescription,
  TransactionRow,
} from "#lib/transactions/card-transaction-records.ts";
import { writeChanges } from "#lib/transactions/write-changes.ts";
import type { TransactionUpdate } from "#lib/transactions/write-changes.ts";
import type { Caller } from "#lib/base/context.ts";
import { hasPassed, toDeadlineTime } from "#lib/base/deadline-clock.ts";
import { findDecline } from "#lib/transactions/decline-rules.ts";
import type { Decline } from "#lib/transactions/decline-rules.ts";
import { toControlledSpending } from "#lib/purchases/internal/controlled.ts";
import type { Controlled } from "#lib/purchases/internal/controlled.ts";
import { countIn, withLimitUses } from "#lib/cards/limit-uses.ts";
import { toCounted, toCountedCategory } from "#lib/transactions/counted.ts";
import type { LimitUses } from "#db/schema/spending-controls.ts";
import { notFound } from "#lib/base/errors.ts";
import type { EventDraft } from "#lib/record/events.ts";
import { EMPTY_BATCH, findBatchIntegrator } from "#lib/group-commit/batch.ts";
import type { DecidedBatch, Result } from "#lib/group-commit/batch.ts";
import type { Transaction } from "#lib/transactions/transactions.ts";
import {
  findEarlyMessages,
  isReversedBefore,
  toApproved,
  toCaptureUpdates,
  toEarly,
  toUsed,
} from "#lib/purchases/internal/early-messages.ts";
import type { Early, EarlyMessage } from "#lib/purchases/internal/early-messages.ts";
import { findAutoFreezes, NO_FREEZES } from "#lib/purchases/internal/auto-freezes.ts";
import type { AutoFreezes } from "#lib/purchases/internal/auto-freezes.ts";
import { pipeline } from "#db/pipeline.ts";
import type { Tx } from "#db/transaction.ts";

/** A requested purchase, or with the amount 0 a verification of the card. Amounts in minor units. */
export interface SpendRequest extends PurchaseDescription {
  cardId: string;
  amount: number;
  /** Null for the card's own currency. */
  currency: string | null;
}

/** One request to authorize, and its caller. */
export interface AuthorizationRequest extends SpendRequest, Caller {
  /** Seconds until the hold expires, by the integrator's clock. */
  expiresInS: number;
  /** Whether what is available is approved if nothing but that is too little. */
  allowPartial?: boolean;
  /** The card network's reference. A capture or a reversal with it may already have arrived. */
  reference?: string;
  /** The messages that arrived before this request, if the caller knows them. Default: those with its reference. */
  early?: Early;
}

/** The result of an authorization, approved or declined. Both are recorded. `available`: what the card has left. */
export interface Authorized {
  transaction: Transaction;
  available: number;
}

/**
 * Authorizes requests of one integrator: any number in one transaction, in order. Each one holds its amount on its card or
 * is declined, with its event. A verification is decided by the same rules and holds nothing. The float is not locked, so
 * purchases on different cards never wait for each other. A refusal (card not found) is not recorded.
 *
 * If messages with its reference arrived first, an authorization asks only for what it adds to them. Captures
 * among them are linked to it.
 *
 * A decline that completes the count of the account's rule freezes its card, and what follows is decided on a frozen card.
 */
export async function authorize(
  tx: Tx,
  requests: readonly AuthorizationRequest[],
): Promise<DecidedBatch<Authorized>> {
  const integratorId = findBatchIntegrator(requests);
  if (!integratorId) {
    return EMPTY_BATCH;
  }
  const cardIds = requests.map(({ cardId }) => cardId);
  const references = requests.flatMap(({ reference }) => reference ?? []);
  const [cards, early] = await pipeline([
    lockCards(tx, integratorId, cardIds),
    findEarlyMessages(tx, references),
  ]);
  const { accounts, integrator } = await withLimitUses(tx, cards);
  const locked = { integrator, early, accounts };
  const first = decideAll(locked, requests, NO_FREEZES);
  const freezes = integrator.autoFreeze
    ? await findAutoFreezes(tx, locked, toDecided(requests, first.results))
    : NO_FREEZES;
  const { batch, results } = freezes.size > 0 ? decideAll(locked, requests, freezes) : first;
  return { results, write: () => writeDecisions(tx, batch, { requests, results, freezes }) };
}

/**
 * Why the card's rules decline a request, or null if it may be approved. It depends only on what the card's lock protects,
 * except for a suspension of the whole integrator, which takes effect with the next transaction.
 * @param card `at`: when it was locked.
 * @param request `ownHold`: what the authorization that it increases holds. It is not another use of the card.
 *   `reversedBefore`: whether the card network reversed it before it arrived.
 */
export function findCardDecline(
  integrator: IntegratorAccounts,
  card: { account: CardAccount; funds: Funds; at: Date },
  request: Pick<SpendRequest, "currency"> &
    Controlled & { ownHold?: number; reversedBefore?: boolean },
): Decline | null {
  const { account, funds, at } = card;
  return findDecline({
    reversedBefore: request.reversedBefore ?? false,
    suspended: integrator.suspended,
    booksUnbalanced: integrator.booksUnbalanced,
    status: account.status,
    expired: hasPassed(integrator, account.expiresAt, at),
    singleUse: account.singleUse,
    heldByOthers: funds.held - (request.ownHold ?? 0),
    available: funds.balance - funds.held,
    cardCurrency: account.currency,
    amount: request.amount,
    currency: request.currency ?? account.currency,
    controlled: toControlledSpending(integrator, { account, at }, request),
  });
}

type RowResult = Result<
  Authorized & {
    transaction: TransactionRow;
    /** The captures that came before it. */
    captureIds: readonly string[];
  }
>;

interface LockedBatch extends AccountChanges {
  integrator: IntegratorAccounts;
  early: readonly EarlyMessage[];
  /** What cards have used of their limits after the decisions so far, by card id. */
  working: Map<string, LimitUses>;
}

/** Decides requests in order. Once a card is frozen, later requests are decided on a frozen card. */
function decideAll(
  { accounts, ...locked }: Locked & Pick<LockedBatch, "early">,
  requests: readonly AuthorizationRequest[],
  freezes: AutoFreezes,
) {
  const byId = new Map(accounts.byId);
  const batch: LockedBatch = {
    ...locked,
    ...unchangedAccounts({ ...accounts, byId }),
    working: new Map(),
  };
  const results = requests.map((request, index) => {
    const result = decideOne(batch, request);
    const account = byId.get(request.cardId);
    if (account && freezes.has(index)) {
      byId.set(account.id, { ...account, status: "frozen" });
    }
    return result;
  });
  return { batch: { ...batch, accounts }, results };
}

function toDecided(requests: readonly AuthorizationRequest[], results: readonly RowResult[]) {
  return requests.map(({ request }, index) => {
    const result = results[index];
    return result && "done" in result ? { ...result.done.transaction, request } : null;
  });
}

function decideOne(batch: LockedBatch, request: AuthorizationRequest): RowResult {
  const pause = findPause(batch.integrator);
  if (pause) {
    return { refusal: pause };
  }
  const account = findCardAccount(batch.accounts, request.cardId);
  const funds = batch.balances.get(request.cardId);
  if (!account || !funds) {
    return { refusal: notFound("card_not_found") };
  }
  const { at } = batch.accounts;
  const { amount, currency, merchant } = request;
  const { early = toEarly(batch.early, request) } = request;
  const asked = amount - toUsed(early, amount);
  const uses = batch.working.get(request.cardId) ?? account.limitUses;
  const decline = findCardDecline(
    batch.integrator,
    { account: { ...account, limitUses: uses }, funds, at },
    { amount: asked, currency, merchant, reversedBefore: isReversedBefore(early, amount) },
  );
  const decision = decide({ ...request, asked }, decline);
  const now = toDeadlineTime(batch.integrator, at);
  const approved = "approved" in decision ? decision.approved : 0;
  const transaction: TransactionRow = {
    ...EMPTY_TRANSACTION,
    ...toRowOrigin(request, account, batch.accounts),
    ...unchangedBalances(funds.balance),
    type: toRequestedType(request),
    ...toDescribed(request),
    ...toCounted(approved, now),
    ...("approved" in decision
      ? toApproved(request, {
          approved: amount - asked + decision.approved,
          early,
          since: early.since === null ? now : toDeadlineTime(batch.integrator, early.since),
        })
      : { amount: request.amount, ...toDeclined(decision.decline, funds.held) }),
  };
  adjustHeld(funds, approved);
  if (uses) {
    const category = toCountedCategory(transaction);
    batch.working.set(account.id, countIn(uses, { counted: approved, countedAt: now, category }));
  }
  const available = funds.balance - funds.held;
  return { done: { transaction, available, captureIds: early.captureIds } };
}

/** The transaction type under which a request is recorded. */
export function toRequestedType({ amount }: Pick<SpendRequest, "amount">) {
  return amount === 0 ? "verification" : "deduct";
}

/** The approved amount, in minor units, or why the request is declined. */
type Decision = { approved: number } | { decline: Decline };

/** Where nothing but limits or funds are in the way, what they leave may be approved instead. */
function decide(
  { asked, allowPartial = false }: AuthorizationRequest & { asked: number },
  decline: Decline | null,
): Decision {
  if (!decline) {
    return { approved: asked };
  }
  const { approvable } = decline;
  return allowPartial && approvable > 0 ? { approved: approvable } : { decline };
}

async function writeDecisions(
  tx: Tx,
  { integrator, accounts, balances, postings }: LockedBatch,
  {
    requests,
    results,
    freezes,
  }: {
    requests: readonly AuthorizationRequest[];
    results: RowResult[];
    freezes: AutoFreezes;
  },
): Promise<void> {
  const rows: TransactionRow[] = [];
  const updates: TransactionUpdate[] = [];
  const drafts: EventDraft[] = [];
  for (const [index, request] of requests.entries()) {
    const result = results[index];
    if (result && "done" in result) {
      const { transaction, captureIds } = result.done;
      rows.push(transaction);
      updates.push(...toCaptureUpdates(captureIds, transaction.id));
      const freeze = freezes.get(index);
      drafts.push(toDecisionEvent(request, transaction), ...(freeze ? toStatusEvents(freeze) : []));
    }
  }
  await writeChanges(tx, integrator, {
    accounts,
    balances,
    postings,
    transactions: rows,
    updates,
    events: drafts,
    freezes: [...freezes.values()],
  });
}

/** The event of a decision, approved or declined. */
export function toDecisionEvent(caller: Caller, transaction: Transaction) {
  return toTransactionEvent(
    caller,
    transaction.status === "declined" ? "card.transaction-declined" : "card.transaction",
    { transaction },
  );
}
