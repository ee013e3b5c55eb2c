import { sql } from "drizzle-orm";
import { TOTP } from "otpauth";
import { expect, test } from "vitest";
import { call } from "#test/scene/api-client.ts";
import type { ApiReply } from "#test/scene/api-client.ts";
import { testDatabase } from "#test/database/database.ts";
import { newIntegrator } from "#test/scene/fixtures.ts";
import { PASSWORD } from "#test/scene/people.ts";
import { newPerson, newStaff } from "#test/scene/staff.ts";
import type { TestStaff } from "#test/scene/staff.ts";
import { flushApiLog } from "#lib/api/edge/api-log.ts";
import { newId } from "#lib/base/ids.ts";

const NEW_PASSWORD = "new horse, old battery";
const JOINED_PASSWORD = "their very own battery";

/** A change with an idempotency key. Its answer would be stored if it held no secret. */
function change(line: string, by: TestStaff, body?: object): Promise<ApiReply> {
  const headers = { ...by.headers, "idempotency-key": newId() };
  return call(line, { headers, body });
}

function tokenOf(reply: ApiReply): string {
  return new URL((reply.json as { link: string }).link).hash.slice(1);
}

test("no password, key, token, or code that was ever sent or shown is stored in the database", async () => {
  const mine = await newIntegrator();
  const owner = await newPerson(mine.id, "owner");
  const body = { name: "Billing", scopes: ["cards:read"] };
  const made = await change("POST /api-keys", owner, body);
  const invited = await change("POST /staff/invitations", owner, {
    email: "new@example.com",
    role: "viewer",
  });
  const other = await newStaff(mine.id, "viewer");
  const reset = await change(`POST /staff/${other.id}/password-reset`, owner);
  const begun = await change("POST /staff/me/second-factor", owner);
  const { secret } = begun.json as { secret: string };
  const code = new TOTP({ secret }).generate();
  const enabled = await change("POST /staff/me/second-factor/enable", owner, { code });
  const changed = await change("PATCH /staff/me/password", owner, {
    current_password: PASSWORD,
    new_password: NEW_PASSWORD,
  });
  const accepted = await change("POST /staff/links/accept", owner, {
    token: tokenOf(invited),
    first_name: "Noor",
    last_name: "Haddad",
    password: JOINED_PASSWORD,
  });
  const mistyped = await change("POST /staff/me/confirm", owner, {
    password: JOINED_PASSWORD,
    code: "wrong-code",
  });
  const replies = [made, invited, reset, begun, enabled, changed, accepted, mistyped];
  expect(replies.map(({ status }) => status)).toEqual([201, 201, 201, 201, 200, 200, 201, 422]);
  await flushApiLog();

  const [session = ""] = owner.headers.cookie.split("=").slice(1);
  const { recovery_codes: recoveryCodes } = enabled.json as { recovery_codes: string[] };
  const secrets = [
    (made.json as { api_key: string }).api_key,
    tokenOf(invited),
    tokenOf(reset),
    secret,
    ...recoveryCodes,
    ...recoveryCodes.map((each) => each.replace("-", "")),
    PASSWORD,
    NEW_PASSWORD,
    JOINED_PASSWORD,
    "wrong-code",
    session,
  ];
  const tables = await testDatabase().db.execute<{ name: string }>(sql`
    select table_name as name from information_schema.tables
    where table_schema = 'public' and table_type = 'BASE TABLE'`);
  expect(tables.length).toBeGreaterThan(15);
  for (const { name } of tables) {
    const rows = await testDatabase().db.execute(sql`select * from ${sql.identifier(name)}`);
    const text = JSON.stringify(rows);
    expect(secrets.filter((each) => text.includes(each))).toEqual([]);
  }
  const [kept] = await testDatabase().db.execute(sql`
    select count(*)::int as answers from idempotent_requests where integrator_id = ${mine.id}`);
  expect(kept).toEqual({ answers: 0 });
});
