import { sql } from "drizzle-orm";
import { beforeAll, describe, expect, test } from "vitest";
import { call } from "#test/scene/api-client.ts";
import { testDatabase } from "#test/database/database.ts";
import { newIntegrator } from "#test/scene/fixtures.ts";
import { enter } from "#test/scene/sign-in.ts";
import { newStaff, toHeaders } from "#test/scene/staff.ts";
import type { TestStaff } from "#test/scene/staff.ts";
import { makeReset, NEW_PASSWORD, reset } from "#test/scene/staff-links.ts";
import { findSession } from "#lib/staff/staff-sessions.ts";

let integratorId: string;
let owner: TestStaff;

beforeAll(async () => {
  ({ id: integratorId } = await newIntegrator());
  owner = await newStaff(integratorId, "owner");
});

/** Signs in with the password that the link set; returns the session's token and what it announces. */
async function enterAnew({ email }: TestStaff) {
  const outcome = await enter({ email, password: NEW_PASSWORD });
  const token = outcome.signedIn ? outcome.token : "";
  return { token, notice: (await findSession(testDatabase().db, token))?.passwordReset };
}

describe("a password reset", () => {
  test("is announced in each new session, with who created the link, until another password is chosen", async () => {
    const person = await newStaff(integratorId, "viewer");
    await reset(await makeReset(owner, person));
    const told = { at: expect.any(Date), by: "Kim owner" };
    expect((await enterAnew(person)).notice).toEqual(told);
    const { token, notice } = await enterAnew(person);
    expect(notice).toEqual(told);
    const changed = await call("PATCH /staff/me/password", {
      headers: await toHeaders(token),
      body: { current_password: NEW_PASSWORD, new_password: "another password yet" },
    });
    expect(changed.status).toBe(200);
    expect((await findSession(testDatabase().db, token))?.passwordReset).toBeNull();
  });

  test("long ago is announced no more", async () => {
    const person = await newStaff(integratorId, "viewer");
    await reset(await makeReset(owner, person));
    await testDatabase().db.execute(
      sql`update staff set password_reset_at = clock_timestamp() - interval '31 days' where id = ${person.id}`,
    );
    expect((await enterAnew(person)).notice).toBeNull();
  });
});
