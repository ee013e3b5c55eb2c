import { setTimeout as sleep } from "node:timers/promises";
import { findSessionByCookies } from "#lib/auth/session.ts";
import type { ReadContext } from "#lib/base/context.ts";
import { isDomainError } from "#lib/base/errors.ts";
import type { ErrorCode } from "#lib/base/error-codes.ts";
import { BUSY_DIGEST } from "#lib/base/page-failure.ts";
import { answerUnavailable, readPageWait, withholdPage } from "#lib/base/page-request.ts";
import { log } from "#lib/base/log.ts";
import type { StaffSession } from "#lib/staff/staff-sessions.ts";
import { database } from "#db/client.ts";
import { DatabaseFailure, isAbsent } from "#db/failures.ts";
import { readFor, readOnceFor } from "#db/reads.ts";
import type { ReadTimeout } from "#db/reads.ts";
import { timeLimit } from "#db/time-limits.ts";
import { inTime } from "#db/transaction.ts";

/**
 * The person who requests a page; undefined when no one is signed in.
 * @throws DatabaseFailure `database_unavailable`; the page is then withheld, because its frame needs the person.
 */
export function findPageSession(cookies: string | null): Promise<StaffSession | undefined> {
  return whenUnavailable(
    withholdPage,
    untilAnswered(({ timeoutMs }) => findSession(cookies, timeoutMs)),
  );
}

/**
 * Like `findPageSession`, for a page that everybody may read: while the database is unavailable, the reader counts as
 * not signed in.
 */
export async function findReaderSession(cookies: string | null): Promise<StaffSession | undefined> {
  try {
    return await findSession(cookies);
  } catch (error) {
    if (isUnavailable(error)) {
      return undefined;
    }
    throw error;
  }
}

/**
 * Runs a page's reads as the signed-in person. A read that cannot reach the database, for example during a restart, is
 * retried until the page has waited too long. All reads of a page share that wait.
 * @throws DatabaseFailure `database_unavailable`.
 */
export const readAs = toPageRead(readFor);

/**
 * Like `readAs`, for a read that sends a single statement: one round trip instead of three.
 * @throws DatabaseFailure `database_unavailable`.
 */
export const readOnceAs = toPageRead(readOnceFor);

/**
 * Reads a part of a page's frame that is optional. Returns undefined if the read fails or takes too long, so that the
 * page is served anyway.
 */
export async function readAside<T>(
  { actor }: StaffSession,
  read: (ctx: ReadContext) => Promise<T>,
): Promise<T | undefined> {
  try {
    return await readFor(actor.integratorId, (db) => read({ db, actor }), {
      timeoutMs: timeLimit("pageAside"),
      signal: readPageWait().abandoned,
    });
  } catch (error) {
    if (!isUnavailable(error)) {
      log.error({ err: error }, "A part of the frame could not be read.");
    }
    return undefined;
  }
}

/**
 * Like `readAs`, for a record that may not be there.
 * @param code the error for which it returns undefined, when the id is unknown, malformed, or another integrator's.
 */
export async function findAs<T>(
  session: StaffSession,
  code: ErrorCode,
  read: (ctx: ReadContext) => Promise<T>,
): Promise<T | undefined> {
  try {
    return await readAs(session, read);
  } catch (error) {
    if (isDomainError(error) && error.code === code) {
      return undefined;
    }
    throw error;
  }
}

function toPageRead(
  readOf: <T>(
    integratorId: string,
    read: (db: ReadContext["db"]) => Promise<T>,
    timeout: ReadTimeout,
  ) => Promise<T>,
) {
  return <T>({ actor }: StaffSession, read: (ctx: ReadContext) => Promise<T>): Promise<T> =>
    whenUnavailable(
      answerUnavailable,
      untilAnswered((timeout) => readOf(actor.integratorId, (db) => read({ db, actor }), timeout)),
    );
}

function findSession(
  cookies: string | null,
  timeoutMs?: number,
): Promise<StaffSession | undefined> {
  return inTime(() => findSessionByCookies(database(), cookies), timeoutMs);
}

const AGAIN_MS = 250;

/** Retries a read while the database cannot be reached, until the page has waited too long or its visitor has left. */
async function untilAnswered<T>(read: (timeout: ReadTimeout) => Promise<T>): Promise<T> {
  const { since, abandoned } = readPageWait();
  const until = since + timeLimit("pageWait");
  for (;;) {
    try {
      // When many pages have waited together, the last ones begin to read late. So each read gets at least the time of
      // an API read.
      const timeoutMs = Math.max(timeLimit("read"), until - performance.now());
      return await read({ timeoutMs, signal: abandoned });
    } catch (error) {
      const isOver = abandoned.aborted || performance.now() + AGAIN_MS > until;
      if (isOver || !isPassing(error)) {
        throw error;
      }
    }
    await sleep(AGAIN_MS);
  }
}

/**
 * Whether the database could not be reached, for example during a restart. A read that took too long does not count:
 * it would only take too long again.
 */
function isPassing(error: unknown): boolean {
  return error instanceof DatabaseFailure && isAbsent(error.cause);
}

async function whenUnavailable<T>(
  report: (reason: unknown) => void,
  reading: Promise<T>,
): Promise<T> {
  try {
    return await reading;
  } catch (error) {
    if (isUnavailable(error)) {
      report(error);
      // All that the browser learns about the error.
      Object.assign(error, { digest: BUSY_DIGEST });
    }
    throw error;
  }
}

function isUnavailable(error: unknown): error is Error {
  return isDomainError(error) && error.code === "database_unavailable";
}
