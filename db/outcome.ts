import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "drizzle-orm";
import type { SQL } from "drizzle-orm";
import type { Db } from "./client.ts";
import { WAIT_FOR_DISK } from "./durability.ts";
import { DatabaseFailure } from "./failures.ts";
import { timeLimit } from "./time-limits.ts";

const OUTCOME_PAUSE_MS = 100;

/** A transaction whose COMMIT was sent, and its commit marker. */
interface Sent {
  xid: string | undefined;
  /** Without a marker nothing was written, so nothing can be lost. */
  marker: SQL | undefined;
}

/**
 * Determines from the database whether a transaction whose COMMIT got no answer was committed.
 * @throws DatabaseFailure `outcome_unknown` when, for five seconds, the database cannot answer or the transaction is
 * still in progress.
 */
export async function isCommitted(db: Db, sent: Sent, cause: unknown): Promise<boolean> {
  const deadline = Date.now() + timeLimit("outcome");
  while (Date.now() < deadline) {
    const fate = await findOutcome(db, sent, deadline);
    if (fate !== undefined) {
      return fate;
    }
    await sleep(OUTCOME_PAUSE_MS);
  }
  throw new DatabaseFailure(
    "outcome_unknown",
    "The connection was lost while the change was being committed. Retrieve the current state, or retry with the same idempotency key.",
    cause,
  );
}

/** Undefined while the outcome is open, or the database cannot answer. */
async function findOutcome(
  db: Db,
  { xid, marker }: Sent,
  deadline: number,
): Promise<boolean | undefined> {
  const status = await ask(db, sql`pg_xact_status(${xid}::text::xid8)`, deadline);
  if (status !== "committed") {
    return status === "aborted" ? false : undefined;
  }
  // A separate statement: its snapshot must be taken after the end of the transaction.
  const found = marker ? await ask(db, marker, deadline) : "true";
  if (found !== "true") {
    return found === "false" ? false : undefined;
  }
  return (await isDurable(db, deadline)) ? true : undefined;
}

/**
 * Whether everything visible now has reached the synchronous standbys, if there are any. A primary that
 * crashed while a commit waited for them shows that commit after its restart, although a failover would lose
 * it. Our own commit waits for all earlier ones. It must write something, or it would not wait.
 */
async function isDurable(db: Db, deadline: number): Promise<boolean> {
  const written = db.execute(
    sql`select ${WAIT_FOR_DISK}, pg_logical_emit_message(true, 'floatdeck', '')`,
  );
  return (
    (await answerBy(
      deadline,
      written.then(() => true),
    )) ?? false
  );
}

/**
 * Undefined when there is no answer, or none in time. An answer from a standby is not trusted: it may be a
 * former primary that still holds changes the cluster is about to undo.
 */
async function ask(db: Db, question: SQL, deadline: number): Promise<string | undefined> {
  const pending = db.execute<{ answer: string | null }>(
    sql`select case when not pg_is_in_recovery() then (${question})::text end as answer`,
  );
  return answerBy(
    deadline,
    pending.then(([row]) => row?.answer ?? undefined),
  );
}

/** Undefined when it fails or takes too long. */
async function answerBy<T>(deadline: number, pending: Promise<T>): Promise<T | undefined> {
  const answered = pending.catch(() => undefined);
  const timer = new AbortController();
  const gaveUp = sleep(deadline - Date.now(), undefined, { signal: timer.signal }).catch(
    () => undefined,
  );
  try {
    return await Promise.race([answered, gaveUp]);
  } finally {
    timer.abort();
  }
}
