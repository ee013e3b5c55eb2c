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
  /** How many passes over all records the erasure has completed. */
  passes: number;
}

/** Rows that may hold a value: the column that names them, and whether they still hold one. */
export interface Erasable {
  table: SQL;
  name: SQL;
  type: SQL;
  holds: SQL;
  /** The assignments that erase the value; null if the whole row is deleted. */
  set: SQL | null;
  /** The condition for the integrator's rows, if the table has no column for it. */
  isOf?: (integratorId: string) => SQL;
}

/** How many rows one transaction reads or erases, in a fraction of the time that a transaction has. */
export const BATCH_ROWS = 500;

/** An arbitrary number. Only the process that holds this lock erases. */
const LOCK = 7_203_128;

/**
 * Repeats a batch, each time in a transaction of its own, until nothing is left.
 * @param batch continues after what it returned the last time, at first `""`; returns null when nothing is left.
 * @returns whether it finished. False if another process is erasing.
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

/** Erases the values of the integrator's selected rows. @returns the number of rows. */
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
