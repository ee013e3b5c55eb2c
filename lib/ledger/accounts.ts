import { and, eq, sql } from "drizzle-orm";
import type { DeadlineClock } from "#lib/base/deadline-clock.ts";
import type { Moment } from "#lib/base/ids.ts";
import { DomainError } from "#lib/base/errors.ts";
import { readMoment } from "#lib/base/moment.ts";
import { RULE, toRule } from "#lib/ledger/internal/approval-rule.ts";
import type { ApprovalRule } from "#lib/ledger/internal/approval-rule.ts";
import {
  ALL,
  AND_DEFICIT,
  CARDS,
  CARDS_AND_FLOAT,
  selectAsRead,
  selectForUpdate,
} from "#lib/ledger/internal/select-accounts.ts";
import type { OfIntegrator, Selection } from "#lib/ledger/internal/select-accounts.ts";
import { ledgerAccounts } from "#db/schema/ledger.ts";
import { integrators } from "#db/schema/integrators.ts";
import type { StoredAutoFreeze } from "#db/schema/integrators.ts";
import type { LimitUses, SpendingControls } from "#db/schema/spending-controls.ts";
import { runSelect } from "#db/compiled-select.ts";
import { pipeline } from "#db/pipeline.ts";
import type { Tx } from "#db/transaction.ts";

/** An account with a running balance, as read by the statement that locked it. Amounts are in minor units. */
export interface LedgerAccount {
  id: string;
  kind: "card" | "float" | "deficit";
  currency: string;
  balance: number;
  held: number;
  version: number;
  /** The sequence number of its last event. */
  eventSequence: number;
  /** Null unless it is a card's. */
  status: (typeof ledgerAccounts.$inferSelect)["status"];
  /** Null unless it is a card's. Compare it with the integrator's clock. */
  expiresAt: Date | null;
  /** When the card's next freeze ends automatically. Compare it with the integrator's clock. */
  freezeDueAt: Date | null;
  /** Whether it is a card for one purchase. */
  singleUse: boolean;
  /** The card's own spending controls; null if it follows the integrator's. */
  spendingControls: SpendingControls | null;
  /** How much of its limits the card has used in their current periods. Null until somebody asks. */
  limitUses: LimitUses | null;
  /** Whether `limitUses` was recomputed and is not stored yet. */
  hasNewUses?: boolean;
}

/** The account of a card. */
export type CardAccount = LedgerAccount & { status: NonNullable<LedgerAccount["status"]> };

/** An integrator as the ledger needs it: the ids of its accounts, and what every fund movement depends on. */
export interface IntegratorAccounts extends DeadlineClock {
  integratorId: string;
  currency: string;
  environment: "sandbox" | "live";
  apiVersion: string;
  lowBalanceThreshold: number | null;
  freezeReasonRequired: boolean;
  /** When a move needs a second person's approval, and since when; null if it never does. */
  approval: ApprovalRule | null;
  /** How many declines freeze a card; null if declines never do. */
  autoFreeze: StoredAutoFreeze | null;
  /** How many days without use freeze a card; null if idle cards stay active. */
  idleFreezeDays: number | null;
  booksUnbalanced: boolean;
  /** Whether its sandbox clock is advancing. Its cards and funds cannot change until that is done. */
  clockAdvancing: boolean;
  /** Whether the operator has suspended spending on its cards, or stopped the integrator altogether. */
  suspended: boolean;
  /** The time zone in which the periods of spending limits begin and end. */
  timeZone: string;
  /** The spending controls of cards that have none of their own. */
  spendingControls: SpendingControls | null;
  floatId: string;
  deficitId: string;
  bankId: string;
  networkId: string;
}

/**
 * One integrator's accounts, locked until the transaction ends, or merely read for a dry run. Only this module creates
 * it. Its moment is read after the locks, so it is later than all earlier records about these accounts.
 */
export interface LockedAccounts extends Moment {
  readonly integratorId: string;
  readonly byId: ReadonlyMap<string, LedgerAccount>;
}

/** What every decision about an integrator's cards needs: their locked accounts, and the integrator. */
export interface Locked {
  accounts: LockedAccounts;
  integrator: IntegratorAccounts;
}

/**
 * Locks the given cards' accounts in the order that all code uses: rank, then id. The result leaves out unknown ids and
 * other integrators' ids. Statements that follow it in a pipeline read rows that the locks protect.
 */
export function lockCards(tx: Tx, integratorId: string, ids: readonly string[]): Promise<Locked> {
  return lockAndRead(tx, CARDS, { integratorId, ids });
}

/**
 * As `lockCards`, plus the integrator's float. The float is locked after the cards, so that its lock is held shortest.
 * Its deficit is locked last: only an empty float can have one.
 */
export async function lockCardsAndFloat(
  tx: Tx,
  integratorId: string,
  ids: readonly string[],
): Promise<Locked> {
  const { accounts, integrator } = await lockAndRead(tx, CARDS_AND_FLOAT, { integratorId, ids });
  return { accounts: await lockDeficitOfEmpty(tx, accounts), integrator };
}

/**
 * The same accounts and the integrator's deficit, as they are now and without locks: for a dry run, which decides and
 * writes nothing.
 */
export async function readCardsAndFloat(
  tx: Tx,
  integratorId: string,
  ids: readonly string[],
): Promise<Locked> {
  const [rows, moment, integrator] = await pipeline([
    selectAsRead(tx, ALL, { integratorId, ids }),
    readMoment(tx),
    readIntegratorAccounts(tx, integratorId),
  ]);
  return { accounts: toLocked(integratorId, rows, moment), integrator };
}

/** Locks the float after accounts that this transaction has already locked, as `lockCardsAndFloat` does. */
export async function lockFloatAfter(tx: Tx, accounts: LockedAccounts): Promise<LockedAccounts> {
  return lockDeficitOfEmpty(tx, await lockAfter(tx, accounts, CARDS_AND_FLOAT));
}

/** Locks the deficit after accounts that this transaction has already locked, including the float. */
export async function lockDeficitAfter(tx: Tx, accounts: LockedAccounts): Promise<LockedAccounts> {
  return findAccount(accounts, "deficit") ? accounts : lockAfter(tx, accounts, AND_DEFICIT);
}

async function lockDeficitOfEmpty(tx: Tx, accounts: LockedAccounts): Promise<LockedAccounts> {
  return findAccount(accounts, "float")?.balance === 0 ? lockDeficitAfter(tx, accounts) : accounts;
}

async function lockAfter(
  tx: Tx,
  { integratorId, byId }: LockedAccounts,
  selection: Selection,
): Promise<LockedAccounts> {
  const [rows, moment] = await pipeline([
    selectForUpdate(tx, selection, { integratorId, ids: [...byId.keys()] }),
    readMoment(tx),
  ]);
  return toLocked(integratorId, rows, moment);
}

async function lockAndRead(tx: Tx, selection: Selection, of: OfIntegrator): Promise<Locked> {
  const [rows, moment, integrator] = await pipeline([
    selectForUpdate(tx, selection, of),
    readMoment(tx),
    readIntegratorAccounts(tx, of.integratorId),
  ]);
  return { accounts: toLocked(of.integratorId, rows, moment), integrator };
}

function toLocked(
  integratorId: string,
  rows: readonly LedgerAccount[],
  moment: Moment,
): LockedAccounts {
  return { integratorId, byId: new Map(rows.map((row) => [row.id, row])), ...moment };
}

/** Reads the integrator and the ids of its float, deficit, bank, and network accounts. These ids never change. */
export async function readIntegratorAccounts(
  tx: Tx,
  integratorId: string,
): Promise<IntegratorAccounts> {
  const rows = await runSelect(tx, {
    key: "integrator accounts",
    build: (builder) =>
      builder
        .select({
          currency: integrators.currency,
          environment: integrators.environment,
          apiVersion: integrators.apiVersion,
          lowBalanceThreshold: integrators.lowBalanceThreshold,
          booksUnbalancedAt: integrators.booksUnbalancedAt,
          freezeReasonRequired: integrators.freezeReasonRequired,
          ...RULE,
          autoFreeze: integrators.autoFreeze,
          idleFreezeDays: integrators.idleFreezeDays,
          clockOffsetS: integrators.clockOffsetS,
          clockTargetS: integrators.clockTargetS,
          suspendedAt: integrators.suspendedAt,
          stoppedAt: integrators.stoppedAt,
          timeZone: integrators.timeZone,
          spendingControls: integrators.spendingControls,
          accountId: ledgerAccounts.id,
          kind: ledgerAccounts.kind,
        })
        .from(integrators)
        .innerJoin(
          ledgerAccounts,
          // All columns of the partial index that excludes cards, and its condition as a literal: with fewer, the
          // planner may read every account of the integrator by its primary key.
          and(
            eq(ledgerAccounts.integratorId, integrators.id),
            eq(ledgerAccounts.currency, integrators.currency),
            sql`${ledgerAccounts.kind} in ('float', 'deficit', 'bank', 'network')`,
            sql`${ledgerAccounts.kind} <> 'card'`,
          ),
        )
        .where(eq(integrators.id, sql.placeholder("integratorId"))),
    values: { integratorId },
  });
  const [first] = rows;
  const idOf = (kind: string) => rows.find((row) => row.kind === kind)?.accountId;
  const [floatId, deficitId, bankId, networkId] = ["float", "deficit", "bank", "network"].map(idOf);
  if (!first || !floatId || !deficitId || !bankId || !networkId) {
    throw new Error(`Integrator ${integratorId} has no complete set of accounts.`);
  }
  return {
    integratorId,
    currency: first.currency,
    environment: first.environment,
    apiVersion: first.apiVersion,
    lowBalanceThreshold: first.lowBalanceThreshold,
    booksUnbalanced: first.booksUnbalancedAt !== null,
    freezeReasonRequired: first.freezeReasonRequired,
    approval: toRule(first),
    autoFreeze: first.autoFreeze,
    idleFreezeDays: first.idleFreezeDays,
    clockOffsetS: first.clockOffsetS,
    clockAdvancing: first.clockTargetS !== null,
    suspended: first.suspendedAt !== null || first.stoppedAt !== null,
    timeZone: first.timeZone,
    spendingControls: first.spendingControls,
    floatId,
    deficitId,
    bankId,
    networkId,
  };
}

/** Finds a card's account among the locked accounts. */
export function findCardAccount(accounts: LockedAccounts, cardId: string): CardAccount | undefined {
  const account = accounts.byId.get(cardId);
  return account && account.status !== null ? { ...account, status: account.status } : undefined;
}

/** The integrator's float or deficit, if it is among the locked accounts. */
export function findAccount(
  accounts: LockedAccounts,
  kind: "float" | "deficit",
): LedgerAccount | undefined {
  return [...accounts.byId.values()].findLast((account) => account.kind === kind);
}

type Pausing = Pick<IntegratorAccounts, "clockAdvancing">;
type Suspending = Pausing & Pick<IntegratorAccounts, "booksUnbalanced">;

/** Why an integrator's funds cannot move now; null when they can. */
export function findSuspension(integrator: Suspending): DomainError | null {
  return integrator.booksUnbalanced ? booksUnbalanced() : findPause(integrator);
}

/** Why nothing about an integrator's cards can change at the moment; null when it can. */
export function findPause({ clockAdvancing: isAdvancing }: Pausing): DomainError | null {
  return isAdvancing ? clockAdvancing() : null;
}

/** @throws DomainError `clock_advancing` while the integrator's deadlines are being moved. */
export function requireUnpaused(integrator: Pausing): void {
  const pause = findPause(integrator);
  if (pause) {
    throw pause;
  }
}

/** The refusal of every change of cards and funds while the deadlines of a sandbox are being moved. */
export function clockAdvancing(): DomainError {
  return new DomainError(
    "clock_advancing",
    "The sandbox clock of this account is advancing. Nothing was changed. Try again in a moment.",
  );
}

/** The refusal of every fund movement while the integrator's ledger check has an open discrepancy. */
export function booksUnbalanced(): DomainError {
  return new DomainError(
    "books_unbalanced",
    "The last ledger check of this account found a discrepancy. Fund movements are suspended until it is resolved.",
  );
}
