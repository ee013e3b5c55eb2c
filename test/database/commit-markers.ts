import { sql } from "drizzle-orm";
import type { CommitCheck, Tx } from "#db/transaction.ts";

/** Refuses to commit a transaction that has written something without setting a commit marker. */
export const requireMarker: CommitCheck = async (tx) => {
  const before = await countWrites(tx);
  return async (isMarked) => {
    if (!isMarked && (await countWrites(tx)) > before) {
      throw new Error("A transaction has written something and has no commit marker.");
    }
  };
};

/** The rows that this connection has written and not yet reported, including those of earlier transactions. */
async function countWrites(tx: Tx): Promise<number> {
  const [row] = await tx.execute<{ writes: number }>(sql`
    select coalesce(sum(pg_stat_get_xact_tuples_inserted(oid) + pg_stat_get_xact_tuples_updated(oid)
      + pg_stat_get_xact_tuples_deleted(oid)), 0)::float8 as writes
    from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r'`);
  return row?.writes ?? 0;
}
