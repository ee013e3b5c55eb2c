import { findSessionByCookies } from "#lib/auth/session.ts";
import type { ReadContext } from "#lib/base/context.ts";
import type { StaffSession } from "#lib/staff/staff-sessions.ts";
import { database } from "#db/client.ts";
import { readFor } from "#db/reads.ts";
import { inTime } from "#db/transaction.ts";

/** The person who asks for a page; undefined where nobody is signed in. */
export function findPageSession(cookies: string | null): Promise<StaffSession | undefined> {
  return inTime(() => findSessionByCookies(database(), cookies));
}

/**
 * Reads for a page, as the signed-in person, and no longer than they may wait.
 * @throws DatabaseFailure `database_unavailable`.
 */
export function readAs<T>(
  session: StaffSession,
  read: (ctx: ReadContext) => Promise<T>,
): Promise<T> {
  const { actor } = session;
  return readFor(actor.integratorId, (db) => read({ db, actor }));
}
