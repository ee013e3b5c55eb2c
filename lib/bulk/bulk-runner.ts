import { setTimeout as sleep } from "node:timers/promises";
import { and, asc, desc, eq, lte, not, sql } from "drizzle-orm";
import type { SQL } from "drizzle-orm";
import { findStop } from "#lib/access/account-stop.ts";
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
import { unlessReadOnly } from "#db/read-only.ts";
import { inTime, inTransaction } from "#db/transaction.ts";
import type { Db } from "#db/client.ts";
import type { Tx } from "#db/transaction.ts";

/** A quarter of the largest batch of requests, so that requests hardly wait for a job. */
const BATCH_ITEMS = 64;
/** How many of a tenant's jobs are tried in its turn, because other processes may be working on the first ones. */
const TRIED_MAX = 4;
const PERIOD_MS = 1_000;

/** `checkJob` runs checks with more items than a batch, because each item's result depends on the items before it. */
const IS_LONG_CHECK = sql`(${bulkJobs.isCheck} and ${bulkJobs.mode} = 'each' and ${bulkJobs.total} > ${BATCH_ITEMS})`;

/** How many such checks a process runs at a time. Each occupies a connection. */
const CHECKS_SIDE_BY_SIDE = 2;

const IS_RUNNING = sql`state = 'running'`;
const IS_FREEZE = sql`operation = 'freeze'`;
const IS_OTHER = sql`operation <> 'freeze'`;

/** Runs accepted jobs. Any number of processes may call it; only one at a time works on a job. */
export function startBulkRunner(db: Db): { stop(): void } {
  const runs = [
    repeat(PERIOD_MS, "Bulk jobs could not be done.", () => unlessReadOnly(db, doJobs)),
    repeat(PERIOD_MS, "Bulk jobs could not be checked.", () => unlessReadOnly(db, checkJobs)),
  ];
  return { stop: () => runs.forEach((run) => run.stop()) };
}

/**
 * Continues all jobs until nothing is left that can be done now. Tenants take turns, one batch each, however many jobs
 * they have. Before each turn of other jobs, every tenant with freezes has a turn for those.
 */
export async function runBulkJobs(db: Db): Promise<void> {
  await Promise.all([doJobs(db), checkJobs(db)]);
}

/** Does a batch of each job in turn. */
async function doJobs(db: Db): Promise<void> {
  for (let isBusy = true; isBusy;) {
    isBusy = await takeTurns(db, await findTurns(db, IS_FREEZE));
    for (const other of await findTurns(db, IS_OTHER)) {
      isBusy = (await takeTurns(db, [other])) || isBusy;
      isBusy = (await takeTurns(db, await findTurns(db, IS_FREEZE))) || isBusy;
    }
  }
}

/** Tenants take turns here too, a whole check each. */
async function checkJobs(db: Db): Promise<void> {
  const ranked = await rankRunning(db, IS_LONG_CHECK);
  const jobs = ranked.toSorted((one, other) => one.place - other.place).values();
  const checkEach = async () => {
    for (const job of jobs) {
      await checkJob(db, job);
    }
  };
  await Promise.all(Array.from({ length: CHECKS_SIDE_BY_SIDE }, checkEach));
}

/** @returns whether any of the jobs made progress. */
async function takeTurns(db: Db, turns: readonly (readonly JobName[])[]): Promise<boolean> {
  let isBusy = false;
  for (const jobs of turns) {
    const begun = performance.now();
    isBusy = (await advanceFirst(db, jobs)) || isBusy;
    // Leaves half of the time to single requests, which wait for the same locks.
    await sleep(performance.now() - begun);
  }
  return isBusy;
}

async function advanceFirst(db: Db, jobs: readonly JobName[]): Promise<boolean> {
  for (const job of jobs) {
    if (await advanceBulkJob(db, job)) {
      return true;
    }
  }
  return false;
}

/** Runs the first batch of an integrator's newest job, unless that is a long check. */
export async function beginBulkJob(db: Db, integratorId: string): Promise<void> {
  const [job] = await inTime(() =>
    db
      .select({
        integratorId: bulkJobs.integratorId,
        id: bulkJobs.id,
        isLongCheck: sql<boolean>`${IS_LONG_CHECK}`,
      })
      .from(bulkJobs)
      .where(and(eq(bulkJobs.integratorId, integratorId), IS_RUNNING))
      .orderBy(desc(bulkJobs.id))
      .limit(1),
  );
  if (job && !job.isLongCheck) {
    await advanceBulkJob(db, job);
  }
}

/** The oldest running jobs of each tenant. Tenants are in the order of their oldest jobs. */
async function findTurns(db: Db, kind: SQL): Promise<JobName[][]> {
  const jobs = await rankRunning(db, sql`${not(IS_LONG_CHECK)} and ${kind}`);
  return [...Map.groupBy(jobs, ({ integratorId }) => integratorId).values()];
}

/** The oldest running jobs of each tenant, oldest first, each with its place among its tenant's jobs. */
async function rankRunning(db: Db, which: SQL): Promise<(JobName & { place: number })[]> {
  const ranked = db
    .select({
      integratorId: bulkJobs.integratorId,
      id: bulkJobs.id,
      place: sql<number>`row_number() over (partition by integrator_id order by id)`
        .mapWith(Number)
        .as("place"),
    })
    .from(bulkJobs)
    .where(and(IS_RUNNING, which))
    .as("ranked");
  return inTime(() =>
    db.select().from(ranked).where(lte(ranked.place, TRIED_MAX)).orderBy(asc(ranked.id)),
  );
}

/**
 * Runs the next batch of a job. The items' results, their effects, and the job's counts commit together, so that each
 * item is done exactly once even if the process crashes.
 * @returns whether it made progress. False if the job has ended, waits, or is running elsewhere.
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

/** An item that fails with an unexpected error does not stop the others. */
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
  if (!job || (await findStop(tx, job.integratorId))) {
    return false;
  }
  const isWhole = job.mode === "all_or_nothing";
  const items = await findWaiting(tx, job, isWhole ? job.total : size);
  const deeds = job.isCheck
    ? await beginCheck(job, new Set())(tx, items)
    : await doItems(tx, job, items);
  const ended = toEnded(job, items, deeds);
  // In an all-or-nothing job, one waiting item holds back all of them.
  return isWhole && ended.length < items.length ? false : endItems(tx, job, ended);
}
