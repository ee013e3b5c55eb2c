import { sql } from "drizzle-orm";
import type { SQL } from "drizzle-orm";
import { ACCOUNT_RULES, RULES_IN_FULL, TRANSFER_RULES } from "#lib/ledger/internal/book-rules.ts";
import type { Rules, Scope } from "#lib/ledger/internal/book-rules.ts";
import { FEED_HORIZON } from "#db/schema/columns.ts";
import { inLongTransaction } from "#db/long-transactions.ts";
import type { Tx } from "#db/transaction.ts";
import type { Db } from "#db/client.ts";

/** One place where the books are inconsistent. */
export interface Discrepancy {
  integratorId: string;
  rule: string;
  /** The affected account, transfer, or subject. */
  about: string;
}

/** The maximum number of discrepancies reported per rule. */
const DISCREPANCIES_MAX = 100;

/** How many transfers one statement checks. That takes about half a second. */
const WINDOW_TRANSFERS = 50_000;

const EVERYTHING: Scope = {
  since: "0",
  windowTransfers: WINDOW_TRANSFERS,
  accounts: sql`true`,
  cards: sql`true`,
};

function since(xid: string): Scope {
  const recent = sql`t.xid >= ${xid}::text::xid8`;
  return {
    since: xid,
    windowTransfers: WINDOW_TRANSFERS,
    // `union` removes duplicates: a float is in most transfers, and joining that many duplicates would exhaust the
    // memory.
    accounts: sql`(a.integrator_id, a.id) in (
      select t.integrator_id, t.debit_account_id from transfers t where ${recent}
      union select t.integrator_id, t.credit_account_id from transfers t where ${recent})`,
    // One index scan of the feed per integrator: its index leads with the integrator.
    cards: sql`(a.integrator_id, a.id) in (
      select distinct i.id, recent.subject_id from integrators i cross join lateral (
        select e.subject_id from events e
        where e.integrator_id = i.id and e.xid >= ${xid}::text::xid8 and e.subject_type = 'card'
      ) recent)`,
  };
}

/** The result of a check, and the transaction id at which the next check resumes. Everything below it was visible here. */
export interface CheckResult {
  discrepancies: Discrepancy[];
  xid: string;
}

/** Checks all the books. An empty result means that they balance. */
export async function verifyBooks(db: Db): Promise<Discrepancy[]> {
  const { discrepancies } = await inLongTransaction(db, findDiscrepanciesEverywhere);
  return discrepancies;
}

/**
 * Checks all the books. Each statement sees the state at its own start, and whatever moves meanwhile lies above the
 * transaction id of the result.
 */
export async function findDiscrepanciesEverywhere(
  tx: Tx,
  windowTransfers: number = WINDOW_TRANSFERS,
): Promise<CheckResult> {
  return check(tx, { ...EVERYTHING, windowTransfers }, { ...ACCOUNT_RULES, ...RULES_IN_FULL });
}

/** Checks what moved since a transaction id. Everything earlier has been checked already. */
export async function findDiscrepanciesSince(tx: Tx, xid: string): Promise<CheckResult> {
  return check(tx, since(xid), ACCOUNT_RULES);
}

async function check(tx: Tx, scope: Scope, accountRules: Rules<Scope>): Promise<CheckResult> {
  const [row] = await tx.execute<{ xid: string }>(sql`select ${FEED_HORIZON}::text as xid`);
  const windows = await cutIntoWindows(tx, scope);
  return {
    discrepancies: [
      ...(await findDiscrepancies(tx, TRANSFER_RULES, windows)),
      ...(await findDiscrepancies(tx, accountRules, [scope])),
    ],
    xid: row?.xid ?? "0",
  };
}

/**
 * Splits all transfers from a transaction id on into windows, and returns the condition of each. Short statements
 * matter: while a statement runs, PostgreSQL keeps every version of the rows updated meanwhile, and each credit must
 * then read past the old versions of its float.
 */
async function cutIntoWindows(tx: Tx, { since: first, windowTransfers }: Scope): Promise<SQL[]> {
  const windows: SQL[] = [];
  let from: string | undefined = first;
  while (from !== undefined) {
    const atOrAbove: SQL = sql`t.xid >= ${from}::text::xid8`;
    const [row]: { until: string | null }[] = await tx.execute<{ until: string | null }>(sql`
      select min(t.xid)::text as until from transfers t where t.xid > (
        select t.xid from transfers t where ${atOrAbove} order by t.xid offset ${windowTransfers} limit 1
      )`);
    const until: string | undefined = row?.until ?? undefined;
    windows.push(
      until === undefined ? atOrAbove : sql`${atOrAbove} and t.xid < ${until}::text::xid8`,
    );
    from = until;
  }
  return windows;
}

async function findDiscrepancies<Part>(
  tx: Tx,
  rules: Rules<Part>,
  parts: readonly Part[],
): Promise<Discrepancy[]> {
  const discrepancies: Discrepancy[] = [];
  for (const [rule, toQuery] of Object.entries(rules)) {
    let room = DISCREPANCIES_MAX;
    for (const part of parts) {
      const rows = await tx.execute<{ integrator_id: string; about: string }>(
        sql`${toQuery(part)} limit ${room}`,
      );
      discrepancies.push(
        ...rows.map((row) => ({ integratorId: row.integrator_id, rule, about: row.about })),
      );
      room -= rows.length;
    }
  }
  return discrepancies;
}
