import { setTimeout as sleep } from "node:timers/promises";
import { and, eq, sql } from "drizzle-orm";
import { log } from "#lib/base/log.ts";
import type { BulkItem, BulkJob } from "#lib/bulk/bulk-job.ts";
import { beginCheck } from "#lib/bulk/internal/check-items.ts";
import type { Deeds } from "#lib/bulk/internal/deeds.ts";
import { endItems, toEnded, toFailed } from "#lib/bulk/internal/end-items.ts";
import { findFrom, findWaiting, lockJob, selectJob } from "#lib/bulk/internal/job-rows.ts";
import type { JobName } from "#lib/bulk/internal/job-rows.ts";
import { bulkItems } from "#db/schema/bulk.ts";
import { databaseCode } from "#db/failures.ts";
import { inSnapshot } from "#db/long-transactions.ts";
import { inTransaction } from "#db/transaction.ts";
import type { Db } from "#db/client.ts";
import type { Tx } from "#db/transaction.ts";

/** How many items are decided at a time. */
const BATCH_ITEMS = 256;

/**
 * Decides all items of a job on one snapshot, unless another process is doing so. However long that takes, it locks no
 * card and keeps no writing transaction open. Results are written in batches, each in its own transaction. If the
 * process dies, the next one decides everything again, and writes the missing results.
 */
export async function checkJob(db: Db, name: JobName): Promise<void> {
  try {
    await inSnapshot(db, (tx) => checkAll(db, tx, name));
  } catch (error) {
    if (databaseCode(error) !== undefined) {
      log.warn({ err: error, jobId: name.id }, "A check of a bulk job waits for the database.");
      return;
    }
    log.error({ err: error, jobId: name.id }, "A check of a bulk job failed.");
    await inTransaction(db, (tx) => failAll(tx, name));
  }
}

async function checkAll(db: Db, tx: Tx, name: JobName): Promise<void> {
  const [lock] = await tx.execute<{ free: boolean }>(
    sql`select pg_try_advisory_xact_lock(hashtextextended(${name.id}, 0)) as free`,
  );
  const [job] = lock?.free ? await selectJob(tx, name) : [];
  if (job?.state !== "running") {
    return;
  }
  const check = beginCheck(job, await findRepeated(tx, job));
  for (let from = 0; from < job.total; from += BATCH_ITEMS) {
    const begun = performance.now();
    const items = await findFrom(tx, job, { from, limit: BATCH_ITEMS });
    const isEnded = await endThose(db, job, { items, deeds: await check(tx, items) });
    if (!isEnded) {
      return;
    }
    // Leaves half of the time to single requests.
    await sleep(performance.now() - begun);
  }
}

/** The cards that a job names more than once. */
async function findRepeated(tx: Tx, { integratorId, id }: JobName): Promise<Set<string>> {
  const rows = await tx
    .select({ cardId: bulkItems.cardId })
    .from(bulkItems)
    .where(and(eq(bulkItems.integratorId, integratorId), eq(bulkItems.jobId, id)))
    .groupBy(bulkItems.cardId)
    .having(sql`count(*) > 1`);
  return new Set(rows.map(({ cardId }) => cardId));
}

/** @returns false if the job has ended in the meantime, or some of the items wait. */
async function endThose(
  db: Db,
  job: BulkJob,
  { items, deeds }: { items: readonly BulkItem[]; deeds: Deeds },
): Promise<boolean> {
  const ended = toEnded(job, items, deeds);
  return inTransaction(db, async (tx) => {
    const locked = await lockJob(tx, job);
    if (!locked) {
      return false;
    }
    const waiting = await findWaiting(tx, job, items.length);
    const positions = new Set(waiting.map(({ position }) => position));
    await endItems(
      tx,
      locked,
      ended.filter(({ position }) => positions.has(position)),
    );
    return ended.length === items.length;
  });
}

async function failAll(tx: Tx, name: JobName): Promise<void> {
  const job = await lockJob(tx, name);
  if (job) {
    await endItems(tx, job, (await findWaiting(tx, job, job.total)).map(toFailed));
  }
}
