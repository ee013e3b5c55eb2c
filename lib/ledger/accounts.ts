import { and, eq, sql } from "drizzle-orm";
import type { CardStatus } from "#lib/card-state.ts";
import { ledgerAccounts } from "#db/schema/ledger.ts";
import { integrators } from "#db/schema/integrators.ts";
import type { Tx } from "#db/transaction.ts";

/** An account with a running balance, as the locking statement returned it. Amounts in minor units. */
export interface LedgerAccount {
  id: string;
  kind: "card" | "float";
  currency: string;
  balance: number;
  held: number;
  version: number;
  /** Null on a float. */
  status: CardStatus | null;
  /** By the database's clock; false on a float. */
  expired: boolean;
  /** Whether it is a card for one purchase. */
  singleUse: boolean;
}

/** What every movement of an integrator's money needs to know about it. */
export interface Tenant {
  integratorId: string;
  currency: string;
  environment: "sandbox" | "live";
  apiVersion: string;
  lowBalanceThreshold: number | null;
  booksUnbalanced: boolean;
  /** The operator has stopped all spending on its cards. */
  suspended: boolean;
  floatId: string;
  bankId: string;
  networkId: string;
}

/** Accounts of one integrator, locked until the transaction ends. Only `lockAccounts` makes it. */
export interface LockedAccounts {
  readonly integratorId: string;
  readonly byId: ReadonlyMap<string, LedgerAccount>;
}

/**
 * Locks the given float and card accounts in the one order everybody uses (rank, then id: cards first, the float last,
 * because it is held shortest). Ids that are unknown, or another integrator's, are simply absent from the result.
 */
export async function lockAccounts(
  tx: Tx,
  integratorId: string,
  ids: readonly string[],
): Promise<LockedAccounts> {
  const rows = await tx
    .select({
      id: ledgerAccounts.id,
      kind: sql<"card" | "float">`${ledgerAccounts.kind}`,
      currency: ledgerAccounts.currency,
      balance: sql<number>`${ledgerAccounts.balance}`.mapWith(Number),
      held: sql<number>`${ledgerAccounts.held}`.mapWith(Number),
      version: ledgerAccounts.version,
      status: ledgerAccounts.status,
      singleUse: sql<boolean>`coalesce(${ledgerAccounts.singleUse}, false)`,
      expired: sql<boolean>`coalesce(${ledgerAccounts.expiresAt} <= clock_timestamp(), false)`,
    })
    .from(ledgerAccounts)
    .where(
      and(
        eq(ledgerAccounts.integratorId, integratorId),
        sql`${ledgerAccounts.id} = any(${sql.param([...new Set(ids)])}::uuid[])`,
        sql`${ledgerAccounts.kind} in ('card', 'float')`,
      ),
    )
    .orderBy(ledgerAccounts.rank, ledgerAccounts.id)
    .for("no key update");
  return { integratorId, byId: new Map(rows.map((row) => [row.id, row])) };
}

/** The integrator and the ids of its float and outside accounts. None of these ids ever changes. */
export async function readTenant(tx: Tx, integratorId: string): Promise<Tenant> {
  const rows = await tx
    .select({
      currency: integrators.currency,
      environment: integrators.environment,
      apiVersion: integrators.apiVersion,
      lowBalanceThreshold: integrators.lowBalanceThreshold,
      booksUnbalancedAt: integrators.booksUnbalancedAt,
      suspendedAt: integrators.suspendedAt,
      accountId: ledgerAccounts.id,
      kind: ledgerAccounts.kind,
    })
    .from(integrators)
    .innerJoin(
      ledgerAccounts,
      // Written out, not a parameter: the index that finds these holds no cards.
      and(eq(ledgerAccounts.integratorId, integrators.id), sql`${ledgerAccounts.kind} <> 'card'`),
    )
    .where(eq(integrators.id, integratorId));
  const [first] = rows;
  const idOf = (kind: string) => rows.find((row) => row.kind === kind)?.accountId;
  const floatId = idOf("float");
  const bankId = idOf("bank");
  const networkId = idOf("network");
  if (!first || !floatId || !bankId || !networkId) {
    throw new Error(`Integrator ${integratorId} has no complete set of accounts.`);
  }
  return {
    integratorId,
    currency: first.currency,
    environment: first.environment,
    apiVersion: first.apiVersion,
    lowBalanceThreshold: first.lowBalanceThreshold,
    booksUnbalanced: first.booksUnbalancedAt !== null,
    suspended: first.suspendedAt !== null,
    floatId,
    bankId,
    networkId,
  };
}
