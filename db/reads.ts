import { readSlots } from "./client.ts";
import type { Db } from "./client.ts";
import { DatabaseFailure, toFailure } from "./failures.ts";
import { toSingleStatement } from "./read-slots.ts";
import type { ReadSlot, ReadSlots } from "./read-slots.ts";
import { begin } from "./transaction.ts";
import type { Tx } from "./transaction.ts";
import { timeLimit } from "./time-limits.ts";

/** When a read is canceled: after a time, or earlier by a signal. */
export interface ReadTimeout {
  timeoutMs: number;
  /** Aborts with the failure that the read then throws. */
  signal?: AbortSignal | undefined;
}

/**
 * Reads on behalf of one integrator: in one snapshot, on a connection that cannot write, from a pool separate
 * from the one for money, in which each integrator has a bounded share. A read that takes too long is
 * canceled in the database, and keeps its slot until it has ended there.
 * @throws DatabaseFailure `database_unavailable`.
 */
export async function readFor<T>(
  integratorId: string,
  read: (db: Tx) => Promise<T>,
  timeout?: ReadTimeout,
): Promise<T> {
  const reading: Reading<T> = {
    take: (slots, signal) => slots.take(integratorId, signal),
    read: (slot, signal) =>
      begin(slot.db, (tx) =>
        cancelingOn(signal, slot, () => Promise.race([read(tx), aborted(signal)])),
      ),
  };
  return inSlot(integratorId, reading, timeout);
}

/**
 * Like `readFor`, for a read that sends a single statement: it needs no transaction, and so takes one round trip
 * instead of three. A second statement is refused.
 * @throws DatabaseFailure `database_unavailable`.
 */
export async function readOnceFor<T>(
  integratorId: string,
  read: (db: Db) => Promise<T>,
  timeout?: ReadTimeout,
): Promise<T> {
  const reading: Reading<T> = {
    take: (slots, signal) => slots.take(integratorId, signal),
    read: (slot, signal) => cancelingOn(signal, slot, () => readOnce(slot, read)),
  };
  return inSlot(integratorId, reading, timeout);
}

/**
 * Like `readOnceFor`, for a read that is quick whatever the tables hold. An integrator's quick reads share a
 * connection, which takes only three quarters of the processor time. Each waits for those before it. A slow one is
 * not canceled, because the cancellation could hit another read; `statement_timeout` ends it.
 * @throws DatabaseFailure `database_unavailable`.
 */
export async function readTogetherFor<T>(
  integratorId: string,
  read: (db: Db) => Promise<T>,
): Promise<T> {
  return inSlot(integratorId, {
    take: (slots, signal) => slots.join(integratorId, signal),
    read: (slot) => readOnce(slot, read),
  });
}

/** Reads with a single statement. */
async function readOnce<T>(slot: ReadSlot, read: (db: Db) => Promise<T>): Promise<T> {
  const { db, end } = toSingleStatement(slot);
  try {
    return await read(db);
  } finally {
    end();
  }
}

/** Which connection a read uses, and what it does there. */
interface Reading<T> {
  take: (slots: ReadSlots, signal: AbortSignal) => Promise<ReadSlot>;
  read: (slot: ReadSlot, signal: AbortSignal) => Promise<T>;
}

async function inSlot<T>(
  integratorId: string,
  { take, read }: Reading<T>,
  timeout: ReadTimeout = { timeoutMs: timeLimit("read") },
): Promise<T> {
  const slots = readSlots();
  const expiry = new AbortController();
  const timer = setTimeout(() => {
    expiry.abort(
      new DatabaseFailure("database_unavailable", "The database took too long to answer."),
    );
  }, timeout.timeoutMs);
  const signal = timeout.signal ? AbortSignal.any([expiry.signal, timeout.signal]) : expiry.signal;
  try {
    const slot = await take(slots, signal);
    const reading = read(slot, signal);
    const leave = () => slots.release(integratorId, slot);
    reading.then(leave, leave);
    return await Promise.race([reading, aborted(signal)]);
  } catch (error) {
    throw toFailure(error);
  } finally {
    clearTimeout(timer);
  }
}

/**
 * Reads, and cancels the statement when the signal aborts. Returns only after the cancellation has ended, so that it
 * cannot hit a later statement of the same transaction or of the next caller.
 */
async function cancelingOn<T>(
  signal: AbortSignal,
  slot: ReadSlot,
  read: () => Promise<T>,
): Promise<T> {
  signal.throwIfAborted();
  let canceled: Promise<void> | undefined;
  const stop = () => {
    canceled = cancel(slot);
  };
  signal.addEventListener("abort", stop, { once: true });
  try {
    return await read();
  } finally {
    signal.removeEventListener("abort", stop);
    await canceled;
  }
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

/** Cancels what the slot is running. If that fails, `statement_timeout` ends the statement a moment later. */
async function cancel(slot: ReadSlot): Promise<void> {
  const { promise: gaveUp, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, timeLimit("cancel"));
  await Promise.race([slot.cancel(), gaveUp]).catch(() => undefined);
  clearTimeout(timer);
}
