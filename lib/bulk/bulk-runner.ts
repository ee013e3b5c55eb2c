import { setTimeout as sleep } from "node:timers/promises";
import { and, asc, desc, eq, not, sql } from "drizzle-orm";
import type { SQL } from "drizzle-orm";
import { log } from "#lib/base/log.ts";
import { repeat } from "#lib/base/repeat.ts";
import { beginCheck } from "#lib/bulk/internal/check-items.ts";
import { checkJob } from "#lib/bulk/internal/check-job.ts";
import { doItems } from "#lib/bulk/internal/do-items.ts";
import { endItems, toEnded, toFailed } from "#lib/bulk/internal/end-items.ts";
import { findWaiting, lockJob } from "#lib/bulk/internal/job-rows.ts";
import type { JobName } from "#lib/bulk/internal/job-rows.ts";
import { bulkJobs } from "#db/schema/bulk.ts";
import { databaseCode } from "#db/failures.ts";
import { inTime, inTransaction } from "#db/transaction.ts";
import type { Db } from "#db/client.ts";
import type { Tx } from "#db/transaction.ts";

/** A quarter of what requests that share a commit may take, so that they hardly wait for these. */
const BATCH_ITEMS = 64;
const JOBS_MAX = 20;
const PERIOD_MS = 1_000;

/** A check that decides more than a batch does so in `checkJob`, because a later item depends on those before. */
const IS_LONG_CHECK = sql`(${bulkJobs.isCheck} and ${bulkJobs.mode} = 'each' and ${bulkJobs.total} > ${BATCH_ITEMS})`;

/** How many of those a process decides at a time. Each takes a connection. */
const CHECKS_SIDE_BY_SIDE = 2;

/** Does the jobs that have been accepted. Any number of processes may run it; each job is done by one at a time. */
export function startBulkRunner(db: Db): { stop(): void } {
  const runs = [
    repeat(PERIOD_MS, "Bulk jobs could not be done.", () => doJobs(db)),
    repeat(PERIOD_MS, "Bulk jobs could not be checked.", () => checkJobs(db)),
  ];
  return { stop: () => runs.forEach((run) => run.stop()) };
}

/** Goes on with every job until nothing is left that can be done now. */
export async function runBulkJobs(db: Db): Promise<void> {
  await Promise.all([doJobs(db), checkJobs(db)]);
}

/** Does a batch of each job in turn. */
async function doJobs(db: Db): Promise<void> {
  for (let isBusy = true; isBusy;) {
    isBusy = false;
    for (const job of await findRunning(db, not(IS_LONG_CHECK))) {
      const begun = performance.now();
      isBusy = (await advanceBulkJob(db, job)) || isBusy;
      // Half of the time belongs to single requests, which wait for the same locks.
      await sleep(performance.now() - begun);
    }
  }
}

async function checkJobs(db: Db): Promise<void> {
  const jobs = (await findRunning(db, IS_LONG_CHECK)).values();
  const checkEach = async () => {
    for (const job of jobs) {
      await checkJob(db, job);
    }
  };
  await Promise.all(Array.from({ length: CHECKS_SIDE_BY_SIDE }, checkEach));
}

/** Does the first batch of an integrator's newest job, unless that is a long check. */
export async function beginBulkJob(db: Db, integratorId: string): Promise<void> {
  const [job] = await inTime(() =>
    selectRunning(db, eq(bulkJobs.integratorId, integratorId)).orderBy(desc(bulkJobs.id)).limit(1),
  );
  if (job && !job.isLongCheck) {
    await advanceBulkJob(db, job);
  }
}

async function findRunning(db: Db, which: SQL): Promise<JobName[]> {
  return inTime(() => selectRunning(db, which).orderBy(asc(bulkJobs.id)).limit(JOBS_MAX));
}

function selectRunning(db: Db, which: SQL) {
  return db
    .select({
      integratorId: bulkJobs.integratorId,
      id: bulkJobs.id,
      isLongCheck: sql<boolean>`${IS_LONG_CHECK}`,
    })
    .from(bulkJobs)
    .where(and(sql`state = 'running'`, which));
}

/**
 * Does the next batch of a job. Its items, what they do, and what the job counts commit together, so that each is done once,
 * whatever ends the process.
 * @returns whether it did something: not if the job has ended, waits, or is being done elsewhere.
 */
async function advanceBulkJob(db: Db, job: JobName): Promise<boolean> {
  try {
    return await inTransaction(db, (tx) => doBatch(tx, job, BATCH_ITEMS));
  } catch (error) {
    if (databaseCode(error) !== undefined) {
      log.warn({ err: error, jobId: job.id }, "A bulk job waits for the database.");
      return false;
    }
    log.error({ err: error, jobId: job.id }, "A batch of a bulk job failed; going on one by one.");
    return doOne(db, job);
  }
}

/** An item that fails for no reason that it can be refused for does not stop the others. */
async function doOne(db: Db, job: JobName): Promise<boolean> {
  try {
    return await inTransaction(db, (tx) => doBatch(tx, job, 1));
  } catch (error) {
    if (databaseCode(error) !== undefined) {
      return false;
    }
    return inTransaction(db, async (tx) => {
      const locked = await lockJob(tx, job);
      return (
        locked !== undefined && endItems(tx, locked, (await findWaiting(tx, job, 1)).map(toFailed))
      );
    });
  }
}

async function doBatch(tx: Tx, name: JobName, size: number): Promise<boolean> {
  const job = await lockJob(tx, name);
  if (!job) {
    return false;
  }
  const isWhole = job.mode === "all_or_nothing";
  const items = await findWaiting(tx, job, isWhole ? job.total : size);
  const deeds = job.isCheck
    ? await beginCheck(job, new Set())(tx, items)
    : await doItems(tx, job, items);
  const ended = toEnded(job, items, deeds);
  // Of a job that does all or nothing, none waits for itself.
  return isWhole && ended.length < items.length ? false : endItems(tx, job, ended);
}
