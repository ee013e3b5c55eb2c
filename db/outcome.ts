import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "drizzle-orm";
import type { SQL } from "drizzle-orm";
import type { Db } from "./client.ts";
import { DatabaseFailure } from "./failures.ts";

const OUTCOME_TIMEOUT_MS = 5_000;
const OUTCOME_PAUSE_MS = 100;

/** A transaction whose COMMIT was sent, and its commit marker. */
interface Sent {
  xid: string | undefined;
  /** Without a marker nothing was written, and nothing can be lost. */
  marker: SQL | undefined;
}

/**
 * The fate of a transaction whose COMMIT was sent and not answered, from the database itself.
 * @throws DatabaseFailure `outcome_unknown` when it cannot be asked, or is still at it, for five seconds.
 */
export async function isCommitted(db: Db, sent: Sent, cause: unknown): Promise<boolean> {
  const deadline = Date.now() + OUTCOME_TIMEOUT_MS;
  while (Date.now() < deadline) {
    const fate = await findFate(db, sent, deadline);
    if (fate !== undefined) {
      return fate;
    }
    await sleep(OUTCOME_PAUSE_MS);
  }
  throw new DatabaseFailure(
    "outcome_unknown",
    "The connection was lost while the change was being committed. Ask for the current state, or repeat with the same idempotency key.",
    cause,
  );
}

/** Undefined while it is not decided, or cannot be asked. */
async function findFate(
  db: Db,
  { xid, marker }: Sent,
  deadline: number,
): Promise<boolean | undefined> {
  const status = await ask(db, sql`pg_xact_status(${xid}::text::xid8)`, deadline);
  if (status !== "committed") {
    return status === "aborted" ? false : undefined;
  }
  // A statement of its own: its snapshot must be younger than the end of the transaction.
  const found = marker ? await ask(db, marker, deadline) : "true";
  if (found !== "true") {
    return found === "false" ? false : undefined;
  }
  return (await isDurable(db, deadline)) ? true : undefined;
}

/**
 * Whether everything visible now has reached the synchronous standbys, if there are any. A primary that crashed while a
 * commit waited for them shows that commit once it is back, although it would be lost if they took over. A commit of our own
 * waits for everything before it. It must write something, or it would wait for nothing.
 */
async function isDurable(db: Db, deadline: number): Promise<boolean> {
  const written = db.execute(sql`select pg_logical_emit_message(true, 'floatdeck', '')`);
  return (
    (await answerBy(
      deadline,
      written.then(() => true),
    )) ?? false
  );
}

/**
 * Undefined when there is no answer, or none in time. A standby is not believed: it may have been the primary, and still
 * hold what the cluster is about to undo.
 */
async function ask(db: Db, question: SQL, deadline: number): Promise<string | undefined> {
  const asked = db.execute<{ answer: string | null }>(
    sql`select case when not pg_is_in_recovery() then (${question})::text end as answer`,
  );
  return answerBy(
    deadline,
    asked.then(([row]) => row?.answer ?? undefined),
  );
}

/** Undefined when it fails, or takes too long. */
async function answerBy<T>(deadline: number, asked: Promise<T>): Promise<T | undefined> {
  const answered = asked.catch(() => undefined);
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
