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

/** An account with a running balance, as the locking statement returned it. Amounts in minor units. */
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
  /** Null unless it is a card's. To be compared by the integrator's clock. */
  expiresAt: Date | null;
  /** When the next freeze of a card ends by itself. To be compared by the integrator's clock. */
  freezeDueAt: Date | null;
  /** Whether it is a card for one purchase. */
  singleUse: boolean;
  /** What the card may buy; null for what its integrator's cards may buy. */
  spendingControls: SpendingControls | null;
  /** What the card's rows count in the periods of its limits. Null while nobody has asked. */
  limitUses: LimitUses | null;
  /** Whether `limitUses` was read anew, and is not stored yet. */
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
  /** When a move needs a second person, and since when; null if it never does. */
  approval: ApprovalRule | null;
  /** After how many declines a card is frozen; null if it never is. */
  autoFreeze: StoredAutoFreeze | null;
  /** After how many days without use a card is frozen; null if it never is. */
  idleFreezeDays: number | null;
  booksUnbalanced: boolean;
  /** Whether its deadlines are being moved; nothing of it may change until that is done. */
  clockAdvancing: boolean;
  /** The operator has suspended all spending on its cards, or stopped it wholly. */
  suspended: boolean;
  /** The zone whose days cut the periods of spending limits. */
  timeZone: string;
  /** What cards may buy that have no controls of their own. */
  spendingControls: SpendingControls | null;
  floatId: string;
  deficitId: string;
  bankId: string;
  networkId: string;
}

/**
 * Accounts of one integrator, locked until the transaction ends, or only read for a dry run. Only this module creates
 * it. Its moment is when all of them were locked, which is later than everything recorded about them before.
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
 * Locks the given cards' accounts in the one order that all code uses: rank, then id. Unknown ids and other integrators'
 * ids are absent from the result. Statements that are begun after it in a pipeline read what the locks protect.
 */
export function lockCards(tx: Tx, integratorId: string, ids: readonly string[]): Promise<Locked> {
  return lockAndRead(tx, CARDS, { integratorId, ids });
}

/**
 * As `lockCards`, plus the integrator's float. The float is locked after the cards, so that its lock is held shortest. Only
 * an empty float can have a deficit, which is locked after it.
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

/** Accounts that this transaction has locked, with the integrator's float locked after them, as by `lockCardsAndFloat`. */
export async function lockFloatAfter(tx: Tx, accounts: LockedAccounts): Promise<LockedAccounts> {
  return lockDeficitOfEmpty(tx, await lockAfter(tx, accounts, CARDS_AND_FLOAT));
}

/** Accounts that this transaction has locked, among them the float, with the integrator's deficit locked after them. */
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

/** Reads the integrator and the ids of its float and outside accounts. These ids never change. */
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

/** A locked account, if it is a card's. */
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

/** Why an integrator's funds cannot move at the moment; null when they can. */
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
