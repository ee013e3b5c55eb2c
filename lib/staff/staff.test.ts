import { sql } from "drizzle-orm";
import { beforeAll, describe, expect, test } from "vitest";
import { call } from "#test/scene/api-client.ts";
import type { ApiReply } from "#test/scene/api-client.ts";
import { testDatabase } from "#test/database/database.ts";
import { newIntegrator } from "#test/scene/fixtures.ts";
import type { TestIntegrator } from "#test/scene/fixtures.ts";
import { PASSWORD } from "#test/scene/people.ts";
import { lastSessionOf, makeStale, newPerson, newStaff } from "#test/scene/staff.ts";
import type { TestStaff } from "#test/scene/staff.ts";
import { OPERATIONS } from "#lib/operations/operations.ts";
import type { Operation } from "#lib/operations/operation.ts";
import { newId } from "#lib/base/ids.ts";
import type { Role } from "#lib/access/roles.ts";

const NEW_PASSWORD = "new horse, old battery";
const INSUFFICIENT = { status: 403, json: { code: "role_insufficient" } };
const LAST_OWNER = { status: 409, json: { code: "staff_last_owner" } };

const all: readonly Operation[] = OPERATIONS;
let mine: TestIntegrator;
let owner: TestStaff;

beforeAll(async () => {
  mine = await newIntegrator();
  owner = await newStaff(mine.id, "owner");
});

/** The answer to their very next request. */
async function next(headers: TestStaff["headers"]): Promise<number> {
  return (await call("GET /cards", { headers })).status;
}

function changeRole(by: TestStaff, { id }: TestStaff, role: Role): Promise<ApiReply> {
  return call(`PATCH /staff/${id}`, { headers: by.headers, body: { role } });
}

function remove(by: TestStaff, { id }: TestStaff): Promise<ApiReply> {
  return call(`DELETE /staff/${id}`, { headers: by.headers });
}

function revokeSessions(by: TestStaff, { id }: TestStaff): Promise<ApiReply> {
  return call(`POST /staff/${id}/revoke-sessions`, { headers: by.headers });
}

function changePassword(by: TestStaff, current: string, changed: string): Promise<ApiReply> {
  const body = { current_password: current, new_password: changed };
  return call("PATCH /staff/me/password", { headers: by.headers, body });
}

async function auditedOf({ id }: TestStaff): Promise<unknown[]> {
  return testDatabase().db.execute(sql`
    select actor ->> 'id' as by, action, before, after from audit_log
    where integrator_id = ${mine.id} and target_id = ${id} order by id`);
}

/** A separate account with exactly two owners, without its founder. */
async function newOwners(): Promise<{ integratorId: string; owners: [TestStaff, TestStaff] }> {
  const { id } = await newIntegrator();
  await testDatabase().db.execute(sql`
    update staff set removed_at = clock_timestamp() where integrator_id = ${id}`);
  return { integratorId: id, owners: [await newStaff(id, "owner"), await newStaff(id, "owner")] };
}

async function countOwners(integratorId: string): Promise<number> {
  const rows = await testDatabase().db.execute(sql`
    select 1 from staff where integrator_id = ${integratorId} and role = 'owner' and removed_at is null`);
  return rows.length;
}

describe("the very next request is refused after", () => {
  test("a change of role, which the next session has", async () => {
    const person = await newPerson(mine.id);
    const changed = await changeRole(owner, person, "viewer");
    expect(changed).toMatchObject({
      status: 200,
      json: { data: { id: person.id, role: "viewer" } },
    });
    expect(await next(person.headers)).toBe(401);
    const headers = await person.signInAgain();
    expect(await next(headers)).toBe(200);
    expect((await call(`PATCH /cards/${newId()}/freeze`, { headers })).status).toBe(403);
    expect(await auditedOf(person)).toEqual([
      {
        by: owner.id,
        action: "staff.role_changed",
        before: { role: "operator" },
        after: { role: "viewer" },
      },
    ]);
  });

  test("removal; the email is free again, and their actions stay on record", async () => {
    const person = await newPerson(mine.id);
    expect((await remove(owner, person)).status).toBe(200);
    expect(await next(person.headers)).toBe(401);
    expect((await remove(owner, person)).status).toBe(404);
    const body = { email: person.email, role: "viewer" };
    const invited = await call("POST /staff/invitations", { headers: owner.headers, body });
    expect(invited.status).toBe(201);
    expect(await auditedOf(person)).toEqual([
      {
        by: owner.id,
        action: "staff.removed",
        before: { email: person.email, role: "operator" },
        after: null,
      },
    ]);
  });

  test("the revocation of all their sessions by an authorized person", async () => {
    const person = await newPerson(mine.id);
    const elsewhere = await person.signInAgain();
    expect((await revokeSessions(owner, person)).status).toBe(200);
    expect([await next(person.headers), await next(elsewhere)]).toEqual([401, 401]);
    expect(await next(await person.signInAgain())).toBe(200);
  });

  test("their own revocation of the others, which keeps the session that requested it", async () => {
    const person = await newPerson(mine.id);
    const elsewhere = await person.signInAgain();
    const reply = await call("DELETE /staff/me/sessions", { headers: person.headers });
    expect(reply.status).toBe(200);
    expect([await next(person.headers), await next(elsewhere)]).toEqual([200, 401]);
  });

  test("their own revocation of one of them, of which the audit log keeps the device", async () => {
    const person = await newPerson(mine.id);
    const elsewhere = await person.signInAgain();
    const session = await lastSessionOf(person);
    const another = await person.signInAgain();
    const end = (by: TestStaff, id = session) =>
      call(`DELETE /staff/me/sessions/${id}`, { headers: by.headers });
    expect(await end(owner)).toMatchObject({ status: 404, json: { code: "session_not_found" } });
    expect((await end(person)).status).toBe(200);
    expect([await next(person.headers), await next(elsewhere), await next(another)]).toEqual([
      200, 401, 200,
    ]);
    expect(await end(person)).toMatchObject({ status: 404 });
    expect(await end(person, "nonsense")).toMatchObject({ status: 404 });
    expect(await auditedOf(person)).toEqual([
      {
        by: person.id,
        action: "staff.session_revoked",
        before: { session_id: session, address: "127.0.0.1", agent: "test" },
        after: null,
      },
    ]);
  });

  test("a change of their password, except in the session that made it", async () => {
    const person = await newPerson(mine.id);
    const elsewhere = await person.signInAgain();
    expect(await changePassword(person, NEW_PASSWORD, PASSWORD)).toMatchObject({
      status: 422,
      json: { errors: { current_password: [expect.any(String)] } },
    });
    expect(await changePassword(person, PASSWORD, "passwordpassword")).toMatchObject({
      status: 422,
      json: { errors: { new_password: [expect.any(String)] } },
    });
    expect(await next(elsewhere)).toBe(200);
    expect((await changePassword(person, PASSWORD, NEW_PASSWORD)).status).toBe(200);
    expect([await next(person.headers), await next(elsewhere)]).toEqual([200, 401]);
    expect((await changePassword(person, PASSWORD, NEW_PASSWORD)).status).toBe(422);
  });
});

describe("an admin", () => {
  test("cannot change an owner or make anyone an owner", async () => {
    const admin = await newPerson(mine.id, "admin");
    const other = await newPerson(mine.id, "owner");
    for (const reply of [
      await changeRole(admin, other, "viewer"),
      await remove(admin, other),
      await revokeSessions(admin, other),
      await changeRole(admin, await newPerson(mine.id), "owner"),
      await changeRole(admin, admin, "owner"),
    ]) {
      expect(reply).toMatchObject(INSUFFICIENT);
    }
    expect(await next(other.headers)).toBe(200);
    const [last] = (await auditedOf(admin)).slice(-1);
    expect(last).toBeUndefined();
    const [row] = await testDatabase().db.execute(sql`
      select count(*)::int as refused from audit_log
      where integrator_id = ${mine.id} and actor ->> 'id' = ${admin.id} and after ->> 'code' = 'role_insufficient'`);
    expect(row).toEqual({ refused: 5 });
  });

  test("can manage everyone else", async () => {
    const admin = await newPerson(mine.id, "admin");
    const other = await newPerson(mine.id, "admin");
    expect((await revokeSessions(admin, other)).status).toBe(200);
    expect((await changeRole(admin, other, "operator")).status).toBe(200);
    expect((await remove(admin, other)).status).toBe(200);
  });
});

describe("the last owner", () => {
  test("can be neither removed nor given another role until there is a second one", async () => {
    const { integratorId, owners } = await newOwners();
    const [first, second] = owners;
    expect((await remove(first, second)).status).toBe(200);
    expect(await remove(first, first)).toMatchObject(LAST_OWNER);
    expect(await changeRole(first, first, "admin")).toMatchObject(LAST_OWNER);
    expect((await changeRole(first, first, "owner")).status).toBe(200);
    await newStaff(integratorId, "owner");
    expect((await changeRole(first, first, "admin")).status).toBe(200);
    expect(await countOwners(integratorId)).toBe(1);
  });

  test("remains when two owners remove each other at once", async () => {
    for (let round = 0; round < 10; round += 1) {
      const { integratorId, owners } = await newOwners();
      const [first, second] = owners;
      await Promise.all([remove(first, second), remove(second, first)]);
      expect(await countOwners(integratorId)).toBe(1);
    }
  });

  test("remains when two owners step down at once, or one steps down while the other is removed", async () => {
    for (let round = 0; round < 10; round += 1) {
      const { integratorId, owners } = await newOwners();
      const [first, second] = owners;
      await Promise.all(
        round % 2 === 0
          ? [changeRole(first, first, "viewer"), changeRole(second, second, "viewer")]
          : [changeRole(first, first, "viewer"), remove(first, second)],
      );
      expect(await countOwners(integratorId)).toBe(1);
    }
  });
});

describe("a sign-in older than five minutes", () => {
  test.each(all.filter(({ fresh }) => fresh).map((each) => [each.id, each] as const))(
    "is not enough for %s",
    async (_id, operation) => {
      const person = await newStaff(mine.id, "owner");
      await makeStale(person);
      const line = `${operation.method} ${operation.path.replace("{id}", owner.id)}`;
      const reply = await call(line, {
        headers: person.headers,
        body: operation.body ? {} : undefined,
      });
      expect(reply).toMatchObject({ status: 403, json: { code: "fresh_sign_in_required" } });
    },
  );

  test("is insufficient for staff changes, new keys, and a new second factor", () => {
    const fresh = all.filter((operation) => operation.fresh).map(({ id }) => id);
    expect(fresh).toEqual(
      expect.arrayContaining([
        "createApiKey",
        "inviteStaff",
        "revokeInvitation",
        "changeRole",
        "removeStaff",
        "revokeSessions",
        "makePasswordReset",
        "requireSecondFactor",
        "beginSecondFactor",
        "disableSecondFactor",
      ]),
    );
  });
});

test("the staff list shows the caller's own account only, without credentials", async () => {
  const theirs = await newPerson((await newIntegrator()).id, "owner");
  const listed = await call("GET /staff", { headers: owner.headers });
  expect(listed.text).toContain(owner.id);
  expect(listed.text).not.toContain(theirs.id);
  expect(listed.text).not.toContain("argon2");
  expect((await call("GET /staff", { headers: (await newPerson(mine.id)).headers })).status).toBe(
    403,
  );
});
