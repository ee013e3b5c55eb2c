import { encode } from "next-auth/jwt";
import { sessionCookieName, sessionSecret } from "#lib/auth/session.ts";
import { newId } from "#lib/ids.ts";
import type { Role } from "#lib/roles.ts";
import { openSession } from "#lib/staff-sessions.ts";
import { staff } from "../schema/staff.ts";
import { inTransaction } from "../transaction.ts";
import { testDatabase } from "./database.ts";
import { newOrigin } from "./fixtures.ts";

/** A member of staff of a test's own, signed in. */
export interface TestStaff {
  id: string;
  email: string;
  /** What their browser sends along with each request of our own pages. */
  headers: { cookie: string; "sec-fetch-site": string };
}

/** Somebody of this integrator with this role, and a session that was opened a moment ago. */
export async function newStaff(
  integratorId: string,
  role: Role,
  passwordHash: string | null = null,
): Promise<TestStaff> {
  const id = newId();
  const email = `${id}@staff.example`;
  const token = await inTransaction(testDatabase().db, async (tx) => {
    await tx
      .insert(staff)
      .values({ integratorId, id, email, firstName: "Kim", lastName: role, role, passwordHash });
    return openSession(tx, { integratorId, id }, newOrigin());
  });
  return { id, email, headers: await toHeaders(token) };
}

/** The headers that a session's token travels in. */
export async function toHeaders(token: string): Promise<TestStaff["headers"]> {
  const sealed = await encode({ token: { sessionToken: token }, secret: sessionSecret() });
  return { cookie: `${sessionCookieName()}=${sealed}`, "sec-fetch-site": "same-origin" };
}
