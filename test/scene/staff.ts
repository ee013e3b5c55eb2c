import { eq, sql } from "drizzle-orm";
import { encode } from "next-auth/jwt";
import { sessionCookieName, sessionSecrets } from "#lib/auth/session.ts";
import { newId } from "#lib/base/ids.ts";
import { hashToken } from "#lib/base/one-time-token.ts";
import { STAFF_ID_HEADER } from "#lib/base/page-person.ts";
import type { Role } from "#lib/access/roles.ts";
import { openSession } from "#lib/staff/staff-sessions.ts";
import { staff, staffSessions } from "#db/schema/staff.ts";
import { inTransaction } from "#db/transaction.ts";
import { testDatabase } from "#test/database/database.ts";
import { newOrigin } from "./fixtures.ts";

/** A signed-in member of staff for one test. */
export interface TestStaff {
  id: string;
  email: string;
  /** The headers that their browser sends with each request from our own pages. */
  headers: { cookie: string; "sec-fetch-site": string; [STAFF_ID_HEADER]: string };
  /** Opens another session for them, as from another browser. */
  signInAgain(): Promise<TestStaff["headers"]>;
}

/** A member of staff of this integrator with this role, and a new session. */
export async function newStaff(
  integratorId: string,
  role: Role,
  passwordHash: string | null = null,
): Promise<TestStaff> {
  const id = newId();
  const email = `${id}@staff.example`;
  const { db } = testDatabase();
  await db
    .insert(staff)
    .values({ integratorId, id, email, firstName: "Kim", lastName: role, role, passwordHash });
  const signInAgain = async () =>
    toHeaders(
      await inTransaction(testDatabase().db, (tx) =>
        openSession(tx, { integratorId, id }, newOrigin()),
      ),
    );
  return { id, email, headers: await signInAgain(), signInAgain };
}

/** A stored hash of `PASSWORD`: hashing it for each person would take longer than everything else. */
const PASSWORD_HASH =
  "$argon2id$v=19$m=19456,t=2,p=1$gDV0dt+j4ZHKPF3PpVd3lQ$fh5pr8siIzjCw5Y95jTuwyXxRCUY5zfX23Abnkys6dQ";

/** A member of staff who signs in with `PASSWORD`. */
export function newPerson(integratorId: string, role: Role = "operator"): Promise<TestStaff> {
  return newStaff(integratorId, role, PASSWORD_HASH);
}

/** Their most recent session. */
export async function lastSessionOf({ id }: Pick<TestStaff, "id">): Promise<string> {
  const [session] = await testDatabase().db.execute<{ id: string }>(sql`
    select id from staff_sessions where staff_id = ${id} order by id desc limit 1`);
  return session?.id ?? "";
}

/** Moves the last authentication of all their sessions this far into the past. */
export async function makeStale(person: TestStaff, interval = "6 minutes"): Promise<void> {
  await testDatabase().db.execute(sql`
    update staff_sessions set confirmed_at = clock_timestamp() - ${interval}::interval
    where staff_id = ${person.id}`);
}

/** The headers that a session's token travels in, from a page that was made for its person. */
export async function toHeaders(token: string): Promise<TestStaff["headers"]> {
  const sealed = await encode({ token: { sessionToken: token }, secret: sessionSecrets()[0] });
  const [session] = await testDatabase()
    .db.select({ staffId: staffSessions.staffId })
    .from(staffSessions)
    .where(eq(staffSessions.tokenHash, hashToken(token)));
  return {
    cookie: `${sessionCookieName()}=${sealed}`,
    "sec-fetch-site": "same-origin",
    [STAFF_ID_HEADER]: session?.staffId ?? newId(),
  };
}
