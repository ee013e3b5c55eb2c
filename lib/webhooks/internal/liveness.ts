import { sql } from "drizzle-orm";
import { inUpkeep, markCommit } from "#db/transaction.ts";
import type { Tx } from "#db/transaction.ts";
import type { Db } from "#db/client.ts";
import { timeLimit } from "#db/time-limits.ts";

/** How often a worker sends a heartbeat. */
export const HEARTBEAT_MS = 1_000;

/** Records a worker's heartbeat, on the database's clock. */
export async function beat(db: Db, workerId: string): Promise<void> {
  await db.execute(sql`
    insert into webhook_workers (id) values (${workerId})
    on conflict (id) do update set seen_at = excluded.seen_at`);
}

/**
 * Releases the claims of dead workers, so that their deliveries are due again immediately. A worker that was
 * only silent has lost its claims: its late results change nothing.
 */
export async function releaseDead(db: Db): Promise<void> {
  await inUpkeep(db, async (tx) => {
    const dead = await tx.execute<{ id: string }>(sql`
      delete from webhook_workers where id = any(array(
        select id from webhook_workers
        where seen_at < statement_timestamp() - make_interval(secs => ${timeLimit("workerSilence") / 1_000})
        for update skip locked
      )) returning id`);
    const [first] = dead;
    if (first) {
      // If the worker sends another heartbeat in the meantime, this check reads as not committed; repeating
      // the work is harmless.
      markCommit(tx, sql`not exists (select from webhook_workers where id = ${first.id})`);
      await release(
        tx,
        dead.map(({ id }) => id),
      );
    }
  });
}

/** Releases the unfinished claims of a stopping worker, and removes the worker. */
export async function releaseClaims(db: Db, workerId: string): Promise<void> {
  await inUpkeep(db, async (tx) => {
    // The worker is stopping and claims nothing more.
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
