import { createHash, hkdfSync, randomBytes, randomUUID } from "node:crypto";
import { encode } from "next-auth/jwt";
import postgres from "postgres";
import { SECRET } from "./members.ts";

/** A signed-in person's session: its id, and the headers that their browser sends from the dashboard. */
export interface Session {
  id: string;
  headers: Readonly<Record<string, string>>;
}

const COOKIE = "floatdeck.session";
const KEY_BYTES = 32;

/**
 * Signs a person in as the sign-in page does, which is served by the pages' process: a run without pages has none.
 * @returns null when nobody has this email.
 * @throws Error while the database is down.
 */
export async function openSession(ownerUrl: string, email: string): Promise<Session | null> {
  const token = randomBytes(KEY_BYTES).toString("base64url");
  const hash = createHash("sha256").update(token).digest("hex");
  const id = randomUUID();
  const sql = postgres(ownerUrl, { max: 1, onnotice: () => undefined });
  let staffId: string;
  try {
    const [opened] = await sql<{ staff_id: string }[]>`
      insert into staff_sessions (id, token_hash, integrator_id, staff_id)
      select ${id}, ${hash}, integrator_id, id from staff where email = ${email} and removed_at is null
      returning staff_id`;
    if (!opened) {
      return null;
    }
    staffId = opened.staff_id;
  } finally {
    await sql.end({ timeout: 1 });
  }
  const key = Buffer.from(hkdfSync("sha256", SECRET, "floatdeck", "session cookie", KEY_BYTES));
  const sealed = await encode({ token: { sessionToken: token }, secret: key.toString("base64") });
  return {
    id,
    headers: {
      cookie: `${COOKIE}=${sealed}`,
      "sec-fetch-site": "same-origin",
      "staff-id": staffId,
    },
  };
}
