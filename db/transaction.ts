import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "drizzle-orm";
import type { SQL } from "drizzle-orm";
import { BY_INDEX } from "./by-index.ts";
import type { Db } from "./client.ts";
import { WAIT_FOR_DISK } from "./durability.ts";
import { reportingFullDisk } from "./disk-full.ts";
import {
  DatabaseFailure,
  isRetryable,
  isUncertain,
  toChangeFailure,
  toFailure,
} from "./failures.ts";
import { isCommitted } from "./outcome.ts";
import { pastClockOf, setPastClock } from "./past-clock.ts";
import { pipeline } from "./pipeline.ts";
import { requireWritable } from "./read-only.ts";
import { timeLimit } from "./time-limits.ts";

export type Tx = Parameters<Parameters<Db["transaction"]>[0]>[0];

const ATTEMPTS_MAX = 4;

interface Options {
  isolationLevel: "repeatable read";
  accessMode?: "read only";
}

/**
 * Runs the work in one READ COMMITTED transaction and commits it. An error thrown by the work rolls it back
 * and is rethrown.
 *
 * A deadlock or serialization failure runs the work again, at most three times and never once COMMIT may have
 * happened. If the connection is lost during COMMIT, the transaction's commit marker determines the outcome:
 * every transaction that writes names one, see `markCommit`.
 * @throws DatabaseFailure `database_unavailable` when nothing was changed, because there was no connection or
 * no time, and `database_full`, because there was no room; `outcome_unknown` when COMMIT was sent and its outcome
 * could not be determined in time; `read_only` when the operator has stopped all changes.
 * @param workTimeoutMs how long the work may take, in milliseconds; above the default only where no caller waits.
 */
export async function inTransaction<T>(
  db: Db,
  work: (tx: Tx) => Promise<T>,
  workTimeoutMs = timeLimit("work"),
): Promise<T> {
  const allowed = async (tx: Tx) => (await pipeline([requireWritable(tx), work(tx)]))[1];
  return inUpkeep(db, allowed, workTimeoutMs);
}

/**
 * Like `inTransaction`, for work that continues while the operator has stopped all changes: deliveries and mail,
 * sign-in, heartbeats, removal of what has expired, and the switch itself.
 */
export async function inUpkeep<T>(
  db: Db,
  work: (tx: Tx) => Promise<T>,
  workTimeoutMs = timeLimit("work"),
): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    const outcome = await attemptOnce(db, work, workTimeoutMs);
    if (outcome.committed) {
      for (const listener of outcome.listeners) {
        listener();
      }
      return outcome.value;
    }
    const again = isRetryable(outcome.error) || outcome.undone;
    if (!again || attempt >= ATTEMPTS_MAX) {
      throw toChangeFailure(outcome.error);
    }
    await sleep(Math.random() * 10 * 2 ** attempt);
  }
}

/**
 * Awaits a read on the request's path, whose statements run without a common transaction, for no longer than
 * a caller may wait.
 * @throws DatabaseFailure `database_unavailable`.
 */
export async function inTime<T>(read: () => Promise<T>, timeoutMs = timeLimit("read")): Promise<T> {
  const { promise: expired, reject: expire } = Promise.withResolvers<never>();
  const timer = setTimeout(() => {
    expire(new DatabaseFailure("database_unavailable", "The database took too long to answer."));
  }, timeoutMs);
  const answered = read();
  // Late errors of an abandoned read no longer have a listener.
  answered.catch(() => undefined);
  try {
    return await Promise.race([answered, expired]);
  } catch (error) {
    throw toFailure(error);
  } finally {
    clearTimeout(timer);
  }
}

/**
 * Runs work that can be rolled back on its own: an error rolls back to where the work began, and the transaction
 * continues.
 */
export async function inSavepoint<T>(tx: Tx, work: (tx: Tx) => Promise<T>): Promise<T> {
  const kept: Watch = { listeners: new Set(), marker: undefined };
  const value = await tx.transaction((inner) => {
    watches.set(inner, kept);
    const clock = pastClockOf(tx);
    if (clock) {
      setPastClock(inner, clock);
    }
    return work(inner);
  });
  // Only after success: work that was rolled back must neither notify listeners nor prove a commit.
  const watch = watchOf(tx);
  for (const listener of kept.listeners) {
    watch.listeners.add(listener);
  }
  watch.marker ??= kept.marker;
  return value;
}

/** The commit listeners of a transaction, and its commit marker. */
interface Watch {
  listeners: Set<() => void>;
  marker: SQL | undefined;
}

const watches = new WeakMap<Tx, Watch>();

/** Calls the listener once, right after this transaction commits, and never when it rolls back. */
export function onCommit(tx: Tx, listener: () => void): void {
  watchOf(tx).listeners.add(listener);
}

/**
 * Sets this transaction's commit marker: a condition that holds if and only if its writes are present,
 * ideally that one of its own rows exists. Every transaction that writes needs one, and the first one set
 * counts. The transaction's id alone would prove nothing, because a database that crashed may assign a lost
 * transaction's id again.
 */
export function markCommit(tx: Tx, condition: SQL): void {
  watchOf(tx).marker ??= condition;
}

/**
 * Inspects a transaction before its work. @returns what to run between the work and COMMIT; an error there
 * rolls back.
 */
export type CommitCheck = (tx: Tx) => Promise<(isMarked: boolean) => Promise<void>>;

let inspect: CommitCheck = () => Promise.resolve(() => Promise.resolve());

/**
 * Checks every transaction of this process before COMMIT. For tests, which thereby find writes without a
 * commit marker.
 */
export function checkCommits(check: CommitCheck): void {
  inspect = check;
}

function watchOf(tx: Tx): Watch {
  const watch = watches.get(tx) ?? { listeners: new Set(), marker: undefined };
  watches.set(tx, watch);
  return watch;
}

/** Opens a transaction without deadlines or retries, for neighboring modules that have their own. */
export function begin<T>(db: Db, work: (tx: Tx) => Promise<T>, options?: Options): Promise<T> {
  return reportingFullDisk(db.transaction(work, options));
}

type Outcome<T> =
  | { committed: true; value: T; listeners: ReadonlySet<() => void> }
  /** `undone`: COMMIT was sent, and the database reports that it did not happen. */
  | { committed: false; error: unknown; undone: boolean };

/**
 * Returns the transaction's id, has its COMMIT wait for the disk whatever the session's default is, and sets how its
 * statements are planned: once per connection, and by index only, because a plan made while the tables were small is
 * kept. Every statement of a transaction finds its rows by key, or in index order up to a limit.
 */
const BEGUN = sql`
  select pg_current_xact_id()::text as xid, ${WAIT_FOR_DISK}, set_config('plan_cache_mode', 'force_generic_plan', true),
    ${BY_INDEX}, set_config('enable_hashjoin', 'off', true), set_config('enable_mergejoin', 'off', true),
    set_config('enable_bitmapscan', 'off', true)`;

async function configure(tx: Tx): Promise<string | undefined> {
  const [row] = await tx.execute<{ xid: string }>(BEGUN);
  return row?.xid;
}

async function attemptOnce<T>(
  db: Db,
  work: (tx: Tx) => Promise<T>,
  workTimeoutMs: number,
): Promise<Outcome<T>> {
  const transaction = new TimedTransaction<T>(workTimeoutMs);
  const watch: Watch = { listeners: new Set(), marker: undefined };
  const { listeners } = watch;
  const tracked = async (tx: Tx) => {
    watches.set(tx, watch);
    const [xid, finishCheck, value] = await pipeline([configure(tx), inspect(tx), work(tx)]);
    await finishCheck(watch.marker !== undefined);
    transaction.xid = xid;
    return value;
  };
  try {
    return { committed: true, value: await transaction.run(db, tracked), listeners };
  } catch (error) {
    const isOpen = error instanceof DatabaseFailure || isUncertain(error);
    if (!transaction.commitSent || !isOpen) {
      return { committed: false, error, undone: false };
    }
    const committed = await isCommitted(db, { xid: transaction.xid, ...watch }, error);
    return committed
      ? { committed: true, value: transaction.requireValue(), listeners }
      : { committed: false, error, undone: true };
  }
}

/** One transaction with a time limit on each of its steps, so that its caller never waits longer. */
class TimedTransaction<T> {
  xid: string | undefined;
  commitSent = false;
  private result: { value: T } | undefined;
  private abandoned = false;
  private timer: NodeJS.Timeout | undefined;
  private readonly workTimeoutMs: number;

  constructor(workTimeoutMs: number) {
    this.workTimeoutMs = workTimeoutMs;
  }

  async run(db: Db, work: (tx: Tx) => Promise<T>): Promise<T> {
    const { promise: expired, reject: expire } = Promise.withResolvers<never>();
    const limit = (timeoutMs: number, step: string) => {
      clearTimeout(this.timer);
      this.timer = setTimeout(() => {
        this.abandoned = true;
        expire(
          new DatabaseFailure("database_unavailable", `The database took too long to ${step}.`),
        );
      }, timeoutMs);
    };
    limit(timeLimit("begin"), "accept the request");
    // READ COMMITTED, by our connections' default.
    const transaction = begin(db, async (tx) => {
      this.refuseIfAbandoned();
      limit(this.workTimeoutMs, "do the work");
      const value = await work(tx);
      // Abandoned in the meantime: the caller already has the answer that nothing changed.
      this.refuseIfAbandoned();
      this.result = { value };
      this.commitSent = true;
      limit(timeLimit("commit"), "confirm the change");
      return value;
    });
    try {
      return await Promise.race([transaction, expired]);
    } finally {
      clearTimeout(this.timer);
      // Late errors of an abandoned transaction no longer have a listener.
      transaction.catch(() => undefined);
    }
  }

  requireValue(): T {
    if (!this.result) {
      throw new Error("A transaction was committed before its work was done.");
    }
    return this.result.value;
  }

  private refuseIfAbandoned(): void {
    if (this.abandoned) {
      throw new DatabaseFailure("database_unavailable", "The request was abandoned.");
    }
  }
}
