import { sql } from "drizzle-orm";
import { control, READS_NAME, readSlots } from "./client.ts";
import type { Db } from "./client.ts";
import { DatabaseFailure, toFailure } from "./failures.ts";
import { pipeline } from "./pipeline.ts";
import { toSingleStatement } from "./read-slots.ts";
import type { ReadSlot } from "./read-slots.ts";
import { begin } from "./transaction.ts";
import type { Tx } from "./transaction.ts";

/** How long a read may take, including its wait for a connection. */
const READ_TIMEOUT_MS = 2_200;
/** How long a canceled read keeps its connection while the cancellation is in flight. */
const CANCEL_TIMEOUT_MS = 1_000;

/**
 * Reads on behalf of one integrator: in one snapshot, on a connection that cannot write, from a pool separate
 * from the one for money, in which each integrator has a bounded share. A read that takes too long is
 * canceled in the database, and keeps its slot until it has ended there.
 * @throws DatabaseFailure `database_unavailable`.
 */
export async function readFor<T>(integratorId: string, read: (db: Tx) => Promise<T>): Promise<T> {
  return inSlot(integratorId, ({ db }, signal) => begin(db, (tx) => readUntil(signal, tx, read)));
}

/**
 * As `readFor`, for a read that sends a single statement: it needs no transaction, and so takes one round
 * trip instead of three. A second statement is refused.
 * @throws DatabaseFailure `database_unavailable`.
 */
export async function readOnceFor<T>(
  integratorId: string,
  read: (db: Db) => Promise<T>,
): Promise<T> {
  return inSlot(integratorId, async (slot, signal) => {
    const { db, end, backend } = toSingleStatement(slot);
    const stop = () => {
      stopped = cancel(Promise.resolve(backend()));
    };
    let stopped: Promise<void> | undefined;
    signal.throwIfAborted();
    signal.addEventListener("abort", stop, { once: true });
    try {
      return await read(db);
    } finally {
      end();
      await stopped;
    }
  });
}

async function inSlot<T>(
  integratorId: string,
  read: (slot: ReadSlot, signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const slots = readSlots();
  const expiry = new AbortController();
  const timer = setTimeout(() => {
    expiry.abort(
      new DatabaseFailure("database_unavailable", "The database took too long to answer."),
    );
  }, READ_TIMEOUT_MS);
  try {
    const slot = await slots.take(integratorId, expiry.signal);
    const reading = read(slot, expiry.signal);
    const leave = () => slots.release(integratorId, slot);
    reading.then(leave, leave);
    return await Promise.race([reading, aborted(expiry.signal)]);
  } catch (error) {
    throw toFailure(error);
  } finally {
    clearTimeout(timer);
  }
}

async function readUntil<T>(signal: AbortSignal, tx: Tx, read: (tx: Tx) => Promise<T>): Promise<T> {
  signal.throwIfAborted();
  const backend = tx
    .execute<{ pid: number }>(sql`select pg_backend_pid() as pid`)
    .then(([row]) => row?.pid);
  const reading = pipeline([backend, read(tx)]);
  const stopped = aborted(signal).catch(async (reason: unknown) => {
    await cancel(backend);
    throw reason;
  });
  const [, value] = await Promise.race([reading, stopped]);
  return value;
}

/** Never resolves; rejects with the signal's reason. */
function aborted(signal: AbortSignal): Promise<never> {
  const { promise, reject } = Promise.withResolvers<never>();
  const refuse = () => reject(signal.reason);
  if (signal.aborted) {
    refuse();
  } else {
    signal.addEventListener("abort", refuse, { once: true });
  }
  return promise;
}

/**
 * Cancels the current statement of a read connection. The connection serves no other caller until this resolves, so
 * that the cancellation cannot hit another caller's statement. Behind a pooler, the process may be known by
 * another number; one that is not a read's is left alone. If it fails, `statement_timeout` ends the statement a
 * moment later.
 */
async function cancel(backend: Promise<number | undefined>): Promise<void> {
  const { promise: gaveUp, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, CANCEL_TIMEOUT_MS);
  const canceled = backend.then((pid) =>
    control().execute(sql`
      select pg_cancel_backend(pid) from pg_stat_activity
      where pid = ${pid ?? 0}::int and application_name = ${READS_NAME} and usename = current_user`),
  );
  await Promise.race([canceled, gaveUp]).catch(() => undefined);
  clearTimeout(timer);
}
