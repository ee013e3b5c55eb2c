import { sql } from "drizzle-orm";
import { inTransaction, markCommit } from "#db/transaction.ts";
import type { Tx } from "#db/transaction.ts";
import type { Db } from "#db/client.ts";

/** How often a worker says that it lives. */
export const HEARTBEAT_MS = 1_000;

/** A worker that has said nothing for this long is dead. A heartbeat may be late by most of it. */
const SILENT_MAX_S = 3;

/** Says that a worker lives, by the database's clock. */
export async function beat(db: Db, workerId: string): Promise<void> {
  await db.execute(sql`
    insert into webhook_workers (id) values (${workerId})
    on conflict (id) do update set seen_at = excluded.seen_at`);
}

/**
 * Gives back what dead workers have claimed, so that it is due again at once. One that was only silent finds its claims
 * gone: what it still says of them changes nothing.
 */
export async function releaseDead(db: Db): Promise<void> {
  await inTransaction(db, async (tx) => {
    const dead = await tx.execute<{ id: string }>(sql`
      delete from webhook_workers where id = any(array(
        select id from webhook_workers
        where seen_at < statement_timestamp() - make_interval(secs => ${SILENT_MAX_S})
        for update skip locked
      )) returning id`);
    const [first] = dead;
    if (first) {
      // One that speaks again meanwhile makes this look undone; doing it again does no harm.
      markCommit(tx, sql`not exists (select from webhook_workers where id = ${first.id})`);
      await release(
        tx,
        dead.map(({ id }) => id),
      );
    }
  });
}

/** Gives back what a worker that stops has claimed and not finished, and forgets the worker. */
export async function releaseClaims(db: Db, workerId: string): Promise<void> {
  await inTransaction(db, async (tx) => {
    // The worker stops: it claims nothing more.
    markCommit(tx, sql`not exists (select from webhook_deliveries where locked_by = ${workerId})`);
    await release(tx, [workerId]);
    await tx.execute(sql`delete from webhook_workers where id = ${workerId}`);
  });
}

async function release(tx: Tx, workerIds: readonly string[]): Promise<void> {
  await tx.execute(sql`
    update webhook_deliveries set locked_by = null, due_at = statement_timestamp()
    where locked_by = any(${sql.param([...workerIds])}::uuid[])`);
}
