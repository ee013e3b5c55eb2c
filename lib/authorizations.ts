import { sql } from "drizzle-orm";
import { findCardAccount } from "#lib/card-lock.ts";
import type { CardAccount } from "#lib/card-lock.ts";
import {
  insertTransactions,
  toDeclined,
  toRowOrigin,
  toStill,
  toTransactionEvent,
} from "#lib/card-transaction-records.ts";
import type { Described, NewTransaction } from "#lib/card-transaction-records.ts";
import type { WriteContext } from "#lib/context.ts";
import { findDecline } from "#lib/decline-rules.ts";
import type { Decline } from "#lib/decline-rules.ts";
import { notFound } from "#lib/errors.ts";
import type { DomainError } from "#lib/errors.ts";
import { recordEvents } from "#lib/events.ts";
import { booksUnbalanced } from "#lib/funds.ts";
import { lockCards, readTenant } from "#lib/ledger/accounts.ts";
import type { LockedAccounts, Tenant } from "#lib/ledger/accounts.ts";
import { moveHeld } from "#lib/ledger/decide.ts";
import type { Funds, Standing } from "#lib/ledger/decide.ts";
import { toStanding, writeHeld } from "#lib/ledger/holds.ts";
import type { Transaction } from "#lib/transactions.ts";
import { NOW } from "#db/schema/columns.ts";
import type { Tx } from "#db/transaction.ts";

/** What is asked of a card. Amounts in minor units. */
export interface SpendRequest extends Described {
  cardId: string;
  amount: number;
  /** Null: the card's own. */
  currency: string | null;
}

/** One request to authorise, by whoever asks. */
export interface AuthorizationRequest
  extends SpendRequest, Pick<WriteContext, "actor" | "request"> {
  /** Seconds until what is held is let go, by the database's clock. */
  expiresInS: number;
}

/** Approved or declined, both recorded; `available` is the card's right after. */
export interface Decided {
  transaction: Transaction;
  available: number;
}

/** What became of one request of a batch; a refusal (no such card) is recorded nowhere. */
export type AuthorizationResult = Decided | { error: DomainError };

/**
 * Authorises requests of one integrator, any number in one transaction, in their order: each holds its amount on its card
 * or is declined, with its event. The float is not touched, so that purchases never wait for each other's cards.
 */
export async function authorise(
  tx: Tx,
  requests: readonly AuthorizationRequest[],
): Promise<AuthorizationResult[]> {
  const [first] = requests;
  if (!first) {
    return [];
  }
  const tenant = await readTenant(tx, first.actor.integratorId);
  if (requests.some(({ actor }) => actor.integratorId !== tenant.integratorId)) {
    throw new Error("A batch of authorisations belongs to one integrator.");
  }
  const cardIds = requests.map(({ cardId }) => cardId);
  const accounts = await lockCards(tx, tenant.integratorId, cardIds);
  const standing = toStanding(accounts);
  const decided = requests.map((request) => decideOne({ tenant, accounts, standing }, request));
  await writeHeld(tx, accounts, standing);
  const rows = decided.flatMap((one) => ("row" in one ? [one.row] : []));
  const written = (await insertTransactions(tx, rows)).values();
  const results = decided.map((one): AuthorizationResult => {
    if ("error" in one) {
      return one;
    }
    const transaction = written.next().value;
    if (!transaction) {
      throw new Error("Fewer authorisations were written than were decided.");
    }
    return { transaction, available: one.available };
  });
  await recordDecisions(tx, tenant, { requests, results });
  return results;
}

/**
 * Authorises one request.
 * @throws DomainError `card_not_found`, `books_unbalanced`.
 */
export async function authoriseOne(
  ctx: WriteContext,
  request: Omit<AuthorizationRequest, "actor" | "request">,
): Promise<Decided> {
  const { tx, ...origin } = ctx;
  const [result] = await authorise(tx, [{ ...request, ...origin }]);
  if (!result) {
    throw new Error("An authorisation had no result.");
  }
  if ("error" in result) {
    throw result.error;
  }
  return result;
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

interface Batch {
  tenant: Tenant;
  accounts: LockedAccounts;
  standing: Standing;
}

type DecidedRow = { row: NewTransaction; available: number } | { error: DomainError };

function decideOne(batch: Batch, request: AuthorizationRequest): DecidedRow {
  if (batch.tenant.booksUnbalanced) {
    return { error: booksUnbalanced() };
  }
  const account = findCardAccount(batch.accounts, request.cardId);
  const funds = batch.standing.get(request.cardId);
  if (!account || !funds) {
    return { error: notFound("card_not_found") };
  }
  const decline = declineOf(batch.tenant, { account, funds }, request);
  if (!decline) {
    moveHeld(funds, request.amount);
  }
  return {
    available: funds.balance - funds.held,
    row: {
      ...toRowOrigin(request, account),
      ...toStill(funds.balance),
      type: "deduct",
      amount: request.amount,
      narrative: request.narrative,
      merchant: request.merchant,
      ...(decline ? toDeclined(decline) : toHold(request)),
    },
  };
}

function toHold({ amount, expiresInS }: AuthorizationRequest) {
  return {
    status: "authorized",
    holdAmount: amount,
    holdCaptured: 0,
    holdReleased: 0,
    holdExpiresAt: sql<Date>`${NOW} + make_interval(secs => ${expiresInS})`,
  } as const;
}

async function recordDecisions(
  tx: Tx,
  tenant: Tenant,
  batch: { requests: readonly AuthorizationRequest[]; results: readonly AuthorizationResult[] },
): Promise<void> {
  const drafts = batch.requests.flatMap((request, index) => {
    const result = batch.results[index];
    return result && "transaction" in result ? [toDecisionEvent(request, result.transaction)] : [];
  });
  await recordEvents(tx, tenant, drafts);
}

/** The event of a decision, whether it held or declined. */
export function toDecisionEvent(
  ctx: Pick<WriteContext, "actor" | "request">,
  transaction: Transaction,
) {
  return toTransactionEvent(
    ctx,
    transaction.status === "declined" ? "card.transaction-declined" : "card.transaction",
    { transaction },
  );
}
