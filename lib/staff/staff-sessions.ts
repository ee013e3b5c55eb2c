import { and, desc, eq, isNull, ne, sql } from "drizzle-orm";
import type { SQL } from "drizzle-orm";
import type { Member, StaffIdentity } from "#lib/base/actor.ts";
import type { ReadContext, RequestOrigin } from "#lib/base/context.ts";
import { toNetwork } from "#lib/base/ip-address.ts";
import type { DeadlineClock } from "#lib/base/deadline-clock.ts";
import { readMoment } from "#lib/base/moment.ts";
import { hashToken, newToken } from "#lib/base/one-time-token.ts";
import { ROLE_SCOPES } from "#lib/access/roles.ts";
import { NOW } from "#db/schema/columns.ts";
import { integrators } from "#db/schema/integrators.ts";
import { staff, staffSessions } from "#db/schema/staff.ts";
import { runSelect } from "#db/compiled-select.ts";
import type { Db } from "#db/client.ts";
import { isDiskFull } from "#db/failures.ts";
import { markCommit } from "#db/transaction.ts";
import type { Tx } from "#db/transaction.ts";

/** A session ends after `SESSION_IDLE_MINUTES` without a request, and after `SESSION_HOURS_MAX` in any case. */
export const SESSION_IDLE_MINUTES = 30;
export const SESSION_HOURS_MAX = 12;

/** How long after reauthentication the most sensitive operations are allowed. */
const FRESH_MINUTES = 5;

/** How long a person is told that their password was reset, unless they choose another. */
const RESET_SHOWN_DAYS = 30;

/** A signed-in person, found by the token in their cookie. */
export interface StaffSession extends DeadlineClock {
  actor: Member & { staff: StaffIdentity };
  email: string;
  /** When the password was last reset by a link that somebody else created, and who did; null if long ago or never. */
  passwordReset: { at: Date; by: string } | null;
  businessName: string;
  environment: "sandbox" | "live";
  apiVersion: string;
  idempotencyRequired: boolean;
  logBodies: boolean;
  /** Determines the account's days and local times. */
  timeZone: string;
  currency: string;
}

/** Whose sessions they are. */
interface Person {
  integratorId: string;
  id: string;
}

/** One open session, as listed. */
export interface SessionEntry {
  id: string;
  createdAt: Date;
  seenAt: Date;
  address: string | null;
  agent: string | null;
}

/** Opens a session and returns the token for its cookie. The token cannot be retrieved again. */
export async function openSession(tx: Tx, person: Person, request: RequestOrigin): Promise<string> {
  const token = newToken();
  const id = (await readMoment(tx)).newId();
  markCommit(tx, sql`exists (select from staff_sessions where id = ${id})`);
  await tx.insert(staffSessions).values({
    id,
    tokenHash: hashToken(token),
    integratorId: person.integratorId,
    staffId: person.id,
    address: request.address,
    network: toNetwork(request.address),
    agent: request.agent,
  });
  return token;
}

/** Puts a constant into the text of a statement, so that the compiled statement needs no parameter for it. */
function toLiteral(value: number): SQL {
  return sql.raw(String(value));
}

const ALIVE: SQL = sql`${staffSessions.endedAt} is null
  and ${staffSessions.seenAt} > ${NOW} - make_interval(mins => ${toLiteral(SESSION_IDLE_MINUTES)})
  and ${staffSessions.createdAt} > ${NOW} - make_interval(hours => ${toLiteral(SESSION_HOURS_MAX)})`;

/**
 * The session for a cookie's token, read from the database every time: a changed role or a revoked session
 * applies from the very next request.
 */
export async function findSession(db: Db, token: string): Promise<StaffSession | undefined> {
  const [row] = await runSelect(db, {
    key: "session by token",
    build: (builder) =>
      builder
        .select({
          sessionId: staffSessions.id,
          isStale: sql<boolean>`${staffSessions.seenAt} < ${NOW} - interval '1 minute'`,
          isFresh: sql<boolean>`${staffSessions.confirmedAt} > ${NOW} - make_interval(mins => ${toLiteral(FRESH_MINUTES)})`,
          isLatelyReset: sql<boolean>`${staff.passwordResetAt} > ${NOW} - make_interval(days => ${toLiteral(RESET_SHOWN_DAYS)})`,
          person: staff,
          integrator: integrators,
        })
        .from(staffSessions)
        .innerJoin(
          staff,
          and(
            eq(staff.integratorId, staffSessions.integratorId),
            eq(staff.id, staffSessions.staffId),
          ),
        )
        .innerJoin(integrators, eq(integrators.id, staffSessions.integratorId))
        .where(
          and(
            eq(staffSessions.tokenHash, sql.placeholder("tokenHash")),
            isNull(staff.removedAt),
            ALIVE,
          ),
        ),
    values: { tokenHash: hashToken(token) },
  });
  if (!row) {
    return undefined;
  }
  if (row.isStale) {
    await noteSeen(db, row.sessionId);
  }
  const { person, integrator } = row;
  const hasSecondFactor = person.totpConfirmedAt !== null;
  const mustEnroll = integrator.secondFactorRequired && !hasSecondFactor;
  return {
    actor: {
      kind: "member",
      integratorId: person.integratorId,
      // A person without the second factor that the owner requires may only set it up.
      scopes: new Set(mustEnroll ? [] : ROLE_SCOPES[person.role]),
      ref: { type: "staff", id: person.id, name: `${person.firstName} ${person.lastName}` },
      staff: {
        id: person.id,
        sessionId: row.sessionId,
        role: person.role,
        fresh: row.isFresh,
        hasSecondFactor,
        mustEnroll,
      },
    },
    email: person.email,
    passwordReset: row.isLatelyReset ? toPasswordReset(person) : null,
    businessName: integrator.businessName,
    environment: integrator.environment,
    apiVersion: integrator.apiVersion,
    idempotencyRequired: integrator.idempotencyRequired,
    logBodies: integrator.logBodies,
    timeZone: integrator.timeZone,
    currency: integrator.currency,
    clockOffsetS: integrator.clockOffsetS,
  };
}

/** Reads are served even when the database has no room to write the time of the last request. */
async function noteSeen(db: Db, sessionId: string): Promise<void> {
  try {
    await db.update(staffSessions).set({ seenAt: NOW }).where(eq(staffSessions.id, sessionId));
  } catch (error) {
    if (!isDiskFull(error)) {
      throw error;
    }
  }
}

function toPasswordReset({
  passwordResetAt: at,
  passwordResetBy: by,
}: typeof staff.$inferSelect): StaffSession["passwordReset"] {
  return at && by ? { at, by: by.name } : null;
}

/** Where a staff member is signed in now, latest first. */
export async function listSessions(ctx: ReadContext, staffId: string): Promise<SessionEntry[]> {
  return ctx.db
    .select({
      id: staffSessions.id,
      createdAt: staffSessions.createdAt,
      seenAt: staffSessions.seenAt,
      address: staffSessions.address,
      agent: staffSessions.agent,
    })
    .from(staffSessions)
    .where(
      and(
        eq(staffSessions.integratorId, ctx.actor.integratorId),
        eq(staffSessions.staffId, staffId),
        ALIVE,
      ),
    )
    .orderBy(desc(staffSessions.id))
    .limit(100);
}

/** Ends all sessions of a person, or all except the caller's own. Returns how many. */
export async function endSessions(tx: Tx, person: Person, exceptId?: string): Promise<number> {
  const ended = await tx
    .update(staffSessions)
    .set({ endedAt: NOW })
    .where(
      and(
        isOpenSessionOf(person),
        exceptId === undefined ? undefined : ne(staffSessions.id, exceptId),
      ),
    )
    .returning({ id: staffSessions.id });
  return ended.length;
}

/** Ends one session of a person. Returns where it was; undefined unless it is theirs and has not ended. */
export async function endOwnSession(
  tx: Tx,
  person: Person,
  sessionId: string,
): Promise<Pick<SessionEntry, "address" | "agent"> | undefined> {
  const [ended] = await tx
    .update(staffSessions)
    .set({ endedAt: NOW })
    .where(and(isOpenSessionOf(person), eq(staffSessions.id, sessionId)))
    .returning({ address: staffSessions.address, agent: staffSessions.agent });
  return ended;
}

function isOpenSessionOf({ integratorId, id }: Person): SQL | undefined {
  return and(
    eq(staffSessions.integratorId, integratorId),
    eq(staffSessions.staffId, id),
    isNull(staffSessions.endedAt),
  );
}

/** Signs out: ends the session with this token, if there is one. */
export async function endSession(db: Db, token: string): Promise<void> {
  await db
    .update(staffSessions)
    .set({ endedAt: NOW })
    .where(and(eq(staffSessions.tokenHash, hashToken(token)), isNull(staffSessions.endedAt)));
}

/** Records that the person of this session has just reauthenticated. */
export async function confirmSession(tx: Tx, sessionId: string): Promise<void> {
  const [confirmed] = await tx
    .update(staffSessions)
    .set({ confirmedAt: NOW })
    .where(eq(staffSessions.id, sessionId))
    .returning({ at: staffSessions.confirmedAt });
  // A concurrent reauthentication at the same moment is equally valid.
  markCommit(
    tx,
    sql`exists (select from staff_sessions where id = ${sessionId} and confirmed_at >= ${confirmed?.at.toISOString()})`,
  );
}
