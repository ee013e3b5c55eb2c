import { setTimeout as sleep } from "node:timers/promises";
import { and, asc, desc, eq, lte, sql } from "drizzle-orm";
import type { SQL } from "drizzle-orm";
import type { ErrorCode } from "#lib/base/errors.ts";
import { log } from "#lib/base/log.ts";
import { repeat } from "#lib/base/repeat.ts";
import type { BulkItem, BulkJob, EndState } from "#lib/bulk/bulk-job.ts";
import { countEnded } from "#lib/bulk/internal/count-ended.ts";
import { doItems } from "#lib/bulk/internal/do-items.ts";
import type { Deeds } from "#lib/bulk/internal/do-items.ts";
import { bulkItems, bulkJobs } from "#db/schema/bulk.ts";
import { databaseCode } from "#db/failures.ts";
import { inTime, inTransaction, markCommit } from "#db/transaction.ts";
import type { Db } from "#db/client.ts";
import type { Tx } from "#db/transaction.ts";

/** A quarter of what requests that share a commit may take, so that they hardly wait for these. */
const BATCH_ITEMS = 64;
/** Of a tenant's jobs, how many are tried in its turn: other processes may be doing the first ones. */
const TRIED_MAX = 4;
const PERIOD_MS = 1_000;

/** These pass, and the items wait for it. */
const PASSING: ReadonlySet<ErrorCode> = new Set(["clock_advancing", "books_unbalanced"]);

type Job = Pick<BulkJob, "integratorId" | "id">;

const IS_RUNNING = sql`state = 'running'`;
const IS_FREEZE = sql`operation = 'freeze'`;
const IS_OTHER = sql`operation <> 'freeze'`;

/** Does the jobs that have been accepted. Any number of processes may run it; each job is done by one at a time. */
export function startBulkRunner(db: Db): { stop(): void } {
  return repeat(PERIOD_MS, "Bulk jobs could not be done.", () => runBulkJobs(db));
}

/**
 * Goes on with every job until nothing is left that can be done now. Tenants take turns of a batch, however many jobs they
 * have, and every tenant's freezes have one before each turn of anything else.
 */
export async function runBulkJobs(db: Db): Promise<void> {
  for (let isBusy = true; isBusy;) {
    isBusy = await takeTurns(db, await findTurns(db, IS_FREEZE));
    for (const other of await findTurns(db, IS_OTHER)) {
      isBusy = (await takeTurns(db, [other])) || isBusy;
      isBusy = (await takeTurns(db, await findTurns(db, IS_FREEZE))) || isBusy;
    }
  }
}

/** @returns whether any of them did something. */
async function takeTurns(db: Db, turns: readonly (readonly Job[])[]): Promise<boolean> {
  let isBusy = false;
  for (const jobs of turns) {
    const begun = performance.now();
    isBusy = (await advanceFirst(db, jobs)) || isBusy;
    // Half of the time belongs to single requests, which wait for the same locks.
    await sleep(performance.now() - begun);
  }
  return isBusy;
}

async function advanceFirst(db: Db, jobs: readonly Job[]): Promise<boolean> {
  for (const job of jobs) {
    if (await advanceBulkJob(db, job)) {
      return true;
    }
  }
  return false;
}

/** Does the first batch of an integrator's newest job. */
export async function beginBulkJob(db: Db, integratorId: string): Promise<void> {
  const [job] = await inTime(() =>
    db
      .select({ integratorId: bulkJobs.integratorId, id: bulkJobs.id })
      .from(bulkJobs)
      .where(and(eq(bulkJobs.integratorId, integratorId), IS_RUNNING))
      .orderBy(desc(bulkJobs.id))
      .limit(1),
  );
  if (job) {
    await advanceBulkJob(db, job);
  }
}

/** The oldest running jobs of each tenant; first the tenant whose oldest job is the oldest. */
async function findTurns(db: Db, kind: SQL): Promise<Job[][]> {
  const ranked = db
    .select({
      integratorId: bulkJobs.integratorId,
      id: bulkJobs.id,
      place: sql<number>`row_number() over (partition by integrator_id order by id)`.as("place"),
    })
    .from(bulkJobs)
    .where(and(IS_RUNNING, kind))
    .as("ranked");
  const jobs = await inTime(() =>
    db.select().from(ranked).where(lte(ranked.place, TRIED_MAX)).orderBy(asc(ranked.id)),
  );
  return [...Map.groupBy(jobs, ({ integratorId }) => integratorId).values()];
}

/**
 * Does the next batch of a job. Its items, what they do, and what the job counts commit together, so that each is done once,
 * whatever ends the process.
 * @returns whether it did something: not if the job has ended, waits, or is being done elsewhere.
 */
async function advanceBulkJob(db: Db, job: Job): Promise<boolean> {
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
async function doOne(db: Db, job: Job): Promise<boolean> {
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

async function doBatch(tx: Tx, { integratorId, id }: Job, size: number): Promise<boolean> {
  const job = await lockJob(tx, { integratorId, id });
  if (!job) {
    return false;
  }
  const isWhole = job.mode === "all_or_nothing" && !job.isCheck;
  const items = await findWaiting(tx, job, isWhole ? job.total : size);
  const deeds = await doItems(tx, job, items);
  const isUndone = isWhole && deeds.some((deed) => "refusal" in deed);
  const ended = items.flatMap((item, at) => toEnded(item, deeds[at], isUndone) ?? []);
  // Of a job that does all or nothing, none waits for itself.
  return isWhole && ended.length < items.length ? false : endItems(tx, job, ended);
}

/** Undefined if the job has ended, or another process is doing it. */
async function lockJob(tx: Tx, { integratorId, id }: Job): Promise<BulkJob | undefined> {
  const [job] = await tx
    .select()
    .from(bulkJobs)
    .where(and(eq(bulkJobs.integratorId, integratorId), eq(bulkJobs.id, id)))
    .for("update", { skipLocked: true });
  return job?.state === "running" ? job : undefined;
}

async function findWaiting(tx: Tx, { integratorId, id }: Job, limit: number): Promise<BulkItem[]> {
  return tx
    .select()
    .from(bulkItems)
    .where(
      and(
        eq(bulkItems.integratorId, integratorId),
        eq(bulkItems.jobId, id),
        eq(bulkItems.state, "waiting"),
      ),
    )
    .orderBy(asc(bulkItems.position))
    .limit(limit);
}

/** What became of an item. */
interface EndedItem {
  position: number;
  state: EndState;
  code: string | null;
  detail: string | null;
  amount: number;
  leftVersion: number | null;
}

/** Null for an item that waits. */
function toEnded(
  { position }: BulkItem,
  deed: Deeds[number] | undefined,
  isUndone: boolean,
): EndedItem | null {
  if (!deed) {
    throw new Error("Fewer items were decided than there are.");
  }
  if ("refusal" in deed) {
    const { code, detail } = deed.refusal;
    return PASSING.has(code) ? null : { ...toUntouched(position, "refused"), code, detail };
  }
  if (isUndone) {
    return toUntouched(position, "canceled");
  }
  const { isChanged, amount, leftVersion } = deed.done;
  return { ...toUntouched(position, isChanged ? "done" : "unchanged"), amount, leftVersion };
}

function toFailed({ position }: BulkItem): EndedItem {
  return {
    ...toUntouched(position, "refused"),
    code: "internal_error",
    detail: "Something went wrong on our side. Nothing was changed.",
  };
}

/** An item that moved nothing, and made or lifted no freeze. */
function toUntouched(position: number, state: EndState): EndedItem {
  return { position, state, code: null, detail: null, amount: 0, leftVersion: null };
}

/** Writes what became of items of a locked job. */
async function endItems(tx: Tx, job: BulkJob, ended: readonly EndedItem[]): Promise<boolean> {
  const [first] = ended;
  if (!first) {
    return false;
  }
  const { integratorId, id } = job;
  const isFirst = sql`integrator_id = ${integratorId} and job_id = ${id} and position = ${first.position}`;
  markCommit(tx, sql`exists (select from bulk_items where ${isFirst} and state <> 'waiting')`);
  const column = (read: (item: EndedItem) => unknown) => sql.param(ended.map(read));
  await tx.execute(sql`
    update bulk_items set state = ended.state, code = ended.code, detail = ended.detail,
      left_version = ended.left_version, narrative = null
    from unnest(
      ${column((item) => item.position)}::int[], ${column((item) => item.state)}::text[],
      ${column((item) => item.code)}::text[], ${column((item) => item.detail)}::text[],
      ${column((item) => item.leftVersion)}::int[]
    ) as ended (position, state, code, detail, left_version)
    where bulk_items.integrator_id = ${integratorId} and bulk_items.job_id = ${id} and bulk_items.position = ended.position`);
  const counts = new Map<EndState, number>();
  for (const { state } of ended) {
    counts.set(state, (counts.get(state) ?? 0) + 1);
  }
  const amount = ended.reduce((sum, item) => sum + item.amount, 0);
  await countEnded(tx, job, { ...Object.fromEntries(counts), amount, state: "completed" });
  return true;
}
