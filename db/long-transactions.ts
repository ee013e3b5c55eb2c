import { sql } from "drizzle-orm";
import type { Db } from "./client.ts";
import { begin } from "./transaction.ts";
import type { Tx } from "./transaction.ts";

/**
 * Runs reads in one REPEATABLE READ snapshot: all of them see the same state. Intended for work off the
 * request's path, so that only the caller's own deadline applies.
 */
export async function inSnapshot<T>(db: Db, work: (tx: Tx) => Promise<T>): Promise<T> {
  return begin(db, withoutTimeout(work), {
    isolationLevel: "repeatable read",
    accessMode: "read only",
  });
}

/**
 * Like `inSnapshot`, but also commits the work's writes. If a row to be written has changed since the snapshot, this
 * is a serialization failure and nothing is written: run it again.
 */
export async function inWritingSnapshot<T>(db: Db, work: (tx: Tx) => Promise<T>): Promise<T> {
  return begin(db, withoutTimeout(work), { isolationLevel: "repeatable read" });
}

/**
 * Runs long work off the request's path in one READ COMMITTED transaction: it keeps its locks to the end, and commits
 * its writes with it, but each statement sees the state at its own start. PostgreSQL keeps every version of a row
 * that some snapshot may see. Under one snapshot for all of the work, the float that each credit updates would
 * collect thousands of them, which each credit then reads.
 */
export async function inLongTransaction<T>(db: Db, work: (tx: Tx) => Promise<T>): Promise<T> {
  return begin(db, withoutTimeout(work));
}

function withoutTimeout<T>(work: (tx: Tx) => Promise<T>): (tx: Tx) => Promise<T> {
  return async (tx) => {
    await tx.execute(sql`set local statement_timeout = 0`);
    return work(tx);
  };
}
