import { findSessionByCookies } from "#lib/auth/session.ts";
import type { ReadContext } from "#lib/base/context.ts";
import type { StaffSession } from "#lib/staff/staff-sessions.ts";
import { database } from "#db/client.ts";
import { readFor, readOnceFor } from "#db/reads.ts";
import { inTime } from "#db/transaction.ts";

/** The person who requests a page; undefined when no one is signed in. */
export function findPageSession(cookies: string | null): Promise<StaffSession | undefined> {
  return inTime(() => findSessionByCookies(database(), cookies));
}

/**
 * Runs a page's reads as the signed-in person, for no longer than a page may wait.
 * @throws DatabaseFailure `database_unavailable`.
 */
export function readAs<T>(
  session: StaffSession,
  read: (ctx: ReadContext) => Promise<T>,
): Promise<T> {
  const { actor } = session;
  return readFor(actor.integratorId, (db) => read({ db, actor }));
}

/**
 * As `readAs`, for a read that sends a single statement: one round trip instead of three.
 * @throws DatabaseFailure `database_unavailable`.
 */
export function readOnceAs<T>(
  session: StaffSession,
  read: (ctx: ReadContext) => Promise<T>,
): Promise<T> {
  const { actor } = session;
  return readOnceFor(actor.integratorId, (db) => read({ db, actor }));
}
