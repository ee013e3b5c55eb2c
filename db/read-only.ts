import { sql } from "drizzle-orm";
import type { Db } from "./client.ts";
import { DatabaseFailure } from "./failures.ts";

/** A connection, or a transaction. */
type Asking = Pick<Db, "execute">;

const READ = sql`select read_only_since is not null as "isReadOnly" from installation`;

/**
 * Requires that the operator allows changes. A transaction asks in a separate statement, after it has an id. So
 * whoever stops all changes only has to wait for the transactions that have already asked; see `awaitEarlierWriters`.
 * @throws DatabaseFailure `read_only`.
 */
export async function requireWritable(tx: Asking): Promise<void> {
  if (await isReadOnly(tx)) {
    throw new DatabaseFailure(
      "read_only",
      "The operator of this server has stopped all changes for a while. Nothing was changed, and reads go on. Try again later.",
    );
  }
}

/** Does periodic work, unless the operator has stopped all changes: then it would be refused. */
export async function unlessReadOnly(db: Db, work: (db: Db) => Promise<void>): Promise<void> {
  if (!(await isReadOnly(db))) {
    await work(db);
  }
}

/** Whether the operator has stopped all changes. */
async function isReadOnly(db: Asking): Promise<boolean> {
  const [row] = await db.execute<{ isReadOnly: boolean }>(READ);
  return row?.isReadOnly ?? false;
}
