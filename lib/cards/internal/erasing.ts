import { sql } from "drizzle-orm";
import type { SQL } from "drizzle-orm";
import { inTransaction, markCommit } from "#db/transaction.ts";
import type { Db } from "#db/client.ts";
import type { Tx } from "#db/transaction.ts";

/** A cardholder whose erasure has begun. */
export interface Erasing {
  db: Db;
  integratorId: string;
  id: string;
  /** How often the erasure has gone over everything. */
  passes: number;
}

/** Rows that may hold a value: the column that names them, and whether they still hold one. */
export interface Erasable {
  table: SQL;
  name: SQL;
  type: SQL;
  holds: SQL;
  /** What erases the value; null when the row goes as a whole. */
  set: SQL | null;
  /** Which rows are the integrator's, if no column says so. */
  isOf?: (integratorId: string) => SQL;
}

/** How many rows one transaction reads or erases, in a fraction of the time that a transaction has. */
export const BATCH_ROWS = 500;

/** An arbitrary number. Only the process that holds this lock erases; the others leave it to that one. */
const LOCK = 7_203_128;

/**
 * Repeats a batch, each time in a transaction of its own, until nothing is left.
 * @param batch continues after what it returned the last time, at first `""`; returns null when nothing is left.
 * @returns whether it came to the end: not when another process erases.
 */
export async function repeatBatch(
  db: Db,
  batch: (tx: Tx, after: string) => Promise<string | null>,
): Promise<boolean> {
  let after: string | null = "";
  while (after !== null) {
    const from: string = after;
    const next = await inTransaction(db, async (tx) =>
      (await tryLock(tx)) ? { after: await batch(tx, from) } : null,
    );
    if (next === null) {
      return false;
    }
    ({ after } = next);
  }
  return true;
}

/** Erases what the selected rows of the integrator hold. @returns how many rows that were. */
export async function eraseRows(
  tx: Tx,
  { integratorId }: Pick<Erasing, "integratorId">,
  { names, ...erasable }: Erasable & { names: SQL },
): Promise<number> {
  const { table, name, type, holds, set, isOf } = erasable;
  const isOwn = isOf?.(integratorId) ?? sql`integrator_id = ${integratorId}`;
  const rows = await tx.execute<{ name: string }>(sql`
    ${set ? sql`update ${table} set ${set}` : sql`delete from ${table}`}
    where ${isOwn} and ${name} = any(array(${names})) and ${holds}
    returning ${name}::text as name`);
  const [first] = rows;
  if (first) {
    markCommit(
      tx,
      sql`not exists (select from ${table}
        where ${isOwn} and ${name} = ${first.name}::${type} and ${holds})`,
    );
  }
  return rows.length;
}

async function tryLock(tx: Tx): Promise<boolean> {
  const [lock] = await tx.execute<{ free: boolean }>(
    sql`select pg_try_advisory_xact_lock(${LOCK}) as free`,
  );
  return lock?.free ?? false;
}
