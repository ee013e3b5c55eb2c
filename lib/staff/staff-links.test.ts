import { sql } from "drizzle-orm";
import type { SQL } from "drizzle-orm";
import { beforeAll, describe, expect, test } from "vitest";
import { call } from "#test/scene/api-client.ts";
import type { ApiReply } from "#test/scene/api-client.ts";
import { testDatabase } from "#test/database/database.ts";
import { newIntegrator } from "#test/scene/fixtures.ts";
import type { TestIntegrator } from "#test/scene/fixtures.ts";
import { enter } from "#test/scene/sign-in.ts";
import { PASSWORD } from "#test/scene/people.ts";
import { newPerson, newStaff } from "#test/scene/staff.ts";
import type { TestStaff } from "#test/scene/staff.ts";
import {
  accept,
  askToInvite,
  askToReset,
  makeInvitation,
  makeReset,
  NEW_PASSWORD,
  read,
  reset,
  toShown,
  use,
} from "#test/scene/staff-links.ts";
import type { Shown } from "#test/scene/staff-links.ts";
import { newId } from "#lib/base/ids.ts";

const NOT_FOUND = { status: 404, json: { code: "link_not_found" } };
const TAKEN = { status: 400, json: { code: "email_already_registered" } };
const INSUFFICIENT = { status: 403, json: { code: "role_insufficient" } };

let mine: TestIntegrator;
let owner: TestStaff;

beforeAll(async () => {
  mine = await newIntegrator();
  owner = await newStaff(mine.id, "owner");
});

async function invite(by: TestStaff = owner, email?: string): Promise<Shown> {
  return email === undefined ? makeInvitation(by) : toShown(await askToInvite(by, email));
}

async function canEnter(email: string, password: string): Promise<boolean> {
  return (await enter({ email, password })).signedIn;
}

async function setLink({ id }: Shown, change: SQL): Promise<void> {
  await testDatabase().db.execute(sql`update staff_links set ${change} where id = ${id}`);
}

function statusesOf(replies: readonly ApiReply[]): number[] {
  return replies.map(({ status }) => status).toSorted((a, b) => a - b);
}

/** What of an answer to an invitation does not differ from person to person. */
function toShape({ json }: ApiReply): unknown[] {
  const { data, link } = json as { data: Record<string, unknown>; link: string };
  return [Object.keys(data), data["kind"], data["role"], link.replace(/#.*/u, "")];
}

function inviteFrom(address: string): Promise<ApiReply> {
  const body = { email: `${newId()}@new.example`, role: "viewer" };
  return call("POST /staff/invitations", { headers: owner.headers, body, address });
}

describe("an invitation", () => {
  test("shows what it is for, creates the staff member once, and lets them sign in", async () => {
    const link = await invite();
    expect(await read(link)).toMatchObject({
      status: 200,
      json: { kind: "invitation", email: link.email, role: "operator", business_name: "Northwind" },
    });
    expect(await accept(link)).toMatchObject({ status: 201, json: { email: link.email } });
    expect(await canEnter(link.email, PASSWORD)).toBe(true);
    expect(await accept(link)).toMatchObject(NOT_FOUND);
    expect(await read(link)).toMatchObject(NOT_FOUND);
    const [row] = await testDatabase().db.execute(sql`
      select actor ->> 'name' as name, after from audit_log
      where integrator_id = ${mine.id} and action = 'staff.joined' order by id desc limit 1`);
    expect(row).toEqual({ name: "Noor Haddad", after: { email: link.email, role: "operator" } });
  });

  test("creates one staff member when it is accepted four times at once", async () => {
    const link = await invite();
    const replies = await Promise.all(["A", "B", "C", "D"].map((name) => accept(link, name)));
    expect(statusesOf(replies)).toEqual([201, 404, 404, 404]);
    const rows = await testDatabase().db.execute(
      sql`select 1 from staff where integrator_id = ${mine.id} and email = ${link.email}`,
    );
    expect(rows).toHaveLength(1);
  });

  test("is valid for seven days", async () => {
    const link = await invite();
    const [row] = await testDatabase().db.execute(sql`
      select expires_at - created_at between interval '6 days 23 hours' and interval '7 days 1 hour' as week
      from staff_links where id = ${link.id}`);
    expect(row).toEqual({ week: true });
    await setLink(link, sql`expires_at = clock_timestamp()`);
    expect(await accept(link)).toMatchObject(NOT_FOUND);
    expect(await read(link)).toMatchObject(NOT_FOUND);
  });

  test("is invalid once it is revoked or another is created for the same email", async () => {
    const link = await invite();
    const revoked = await call(`DELETE /staff/invitations/${link.id}`, { headers: owner.headers });
    expect(revoked.status).toBe(200);
    expect(await accept(link)).toMatchObject(NOT_FOUND);
    const first = await invite();
    const second = await invite(owner, first.email.toUpperCase());
    expect(await accept(first)).toMatchObject(NOT_FOUND);
    expect((await accept(second)).status).toBe(201);
  });

  test("of another integrator is neither listed nor revoked", async () => {
    const theirs = await newIntegrator();
    const link = await invite(await newStaff(theirs.id, "owner"));
    const revoked = await call(`DELETE /staff/invitations/${link.id}`, { headers: owner.headers });
    expect(revoked).toMatchObject(NOT_FOUND);
    const listed = await call("GET /staff", { headers: owner.headers });
    expect(listed.text).not.toContain(link.id);
    expect((await accept(link)).status).toBe(201);
  });

  test("is not created for somebody of the same staff", async () => {
    expect(await askToInvite(owner, owner.email.toUpperCase())).toMatchObject(TAKEN);
  });

  test("for an email that has a login elsewhere tells its creator nothing; only who accepts it is refused", async () => {
    const theirs = await newIntegrator();
    const elsewhere = await newStaff(theirs.id, "viewer");
    const known = await askToInvite(owner, elsewhere.email);
    const unknown = await askToInvite(owner, `${newId()}@new.example`);
    expect([known.status, unknown.status]).toEqual([201, 201]);
    expect(toShape(known)).toEqual(toShape(unknown));
    const listed = await call("GET /staff", { headers: owner.headers });
    expect(listed.text).toContain(toShown(known).id);
    expect((await read(toShown(known))).status).toBe(200);
    expect(await accept(toShown(known))).toMatchObject(TAKEN);
  });

  test("is one of at most twenty in ten minutes from one address", async () => {
    const address = newId();
    for (let made = 0; made < 20; made += 1) {
      expect((await inviteFrom(address)).status).toBe(201);
    }
    expect(await inviteFrom(address)).toMatchObject({
      status: 429,
      json: { code: "rate_limited" },
    });
    expect((await inviteFrom(newId())).status).toBe(201);
  });

  test("for an email that two integrators invite goes to the one accepted first", async () => {
    const theirs = await newIntegrator();
    const stranger = await newStaff(theirs.id, "owner");
    const ours = await invite();
    const other = await invite(stranger, ours.email);
    const replies = await Promise.all([accept(ours), accept(other)]);
    expect(statusesOf(replies)).toEqual([201, 400]);
  });

  test("to become an owner can be created by an owner only", async () => {
    const admin = await newStaff(mine.id, "admin");
    expect(await askToInvite(admin, `${newId()}@new.example`, "owner")).toMatchObject(INSUFFICIENT);
    expect((await askToInvite(admin, `${newId()}@new.example`, "admin")).status).toBe(201);
    expect((await askToInvite(owner, `${newId()}@new.example`, "owner")).status).toBe(201);
  });

  test("cannot be used as a password link, nor vice versa", async () => {
    const invitation = await invite();
    expect(await reset(invitation)).toMatchObject(NOT_FOUND);
    const link = await makeReset(owner, await newStaff(mine.id, "viewer"));
    expect(await accept(link)).toMatchObject(NOT_FOUND);
  });
});

describe("a password link", () => {
  test("sets the password once, ends every session, and the old password is refused", async () => {
    const person = await newPerson(mine.id);
    const link = await makeReset(owner, person);
    expect((await reset(link)).status).toBe(200);
    expect((await call("GET /cards", { headers: person.headers })).status).toBe(401);
    expect(await canEnter(person.email, PASSWORD)).toBe(false);
    expect(await canEnter(person.email, NEW_PASSWORD)).toBe(true);
    expect(await reset(link, "a third horse's battery")).toMatchObject(NOT_FOUND);
    expect(await canEnter(person.email, NEW_PASSWORD)).toBe(true);
  });

  test("is consumed once by four concurrent uses, and that use sets the password", async () => {
    const person = await newPerson(mine.id);
    const link = await makeReset(owner, person);
    const passwords = ["A", "B", "C", "D"].map((letter) => `${NEW_PASSWORD} ${letter}`);
    const replies = await Promise.all(passwords.map((password) => reset(link, password)));
    expect(statusesOf(replies)).toEqual([200, 404, 404, 404]);
    const used = passwords[replies.findIndex(({ status }) => status === 200)] ?? "";
    expect(await canEnter(person.email, used)).toBe(true);
  });

  test("is valid for a day, or until another is created", async () => {
    const person = await newPerson(mine.id);
    const first = await makeReset(owner, person);
    const second = await makeReset(owner, person);
    expect(await reset(first)).toMatchObject(NOT_FOUND);
    await setLink(second, sql`expires_at = created_at`);
    expect(await reset(second)).toMatchObject(NOT_FOUND);
    expect(await canEnter(person.email, PASSWORD)).toBe(true);
  });

  test("is invalid once its person is removed", async () => {
    const person = await newPerson(mine.id);
    const link = await makeReset(owner, person);
    await call(`DELETE /staff/${person.id}`, { headers: owner.headers });
    expect(await reset(link)).toMatchObject(NOT_FOUND);
  });

  test("is invalid once its person's role changes: otherwise an admin's link could open an owner's account", async () => {
    const person = await newPerson(mine.id);
    const admin = await newStaff(mine.id, "admin");
    const link = toShown(await askToReset(admin, person));
    const body = { role: "owner" };
    await call(`PATCH /staff/${person.id}`, { headers: owner.headers, body });
    expect(await reset(link)).toMatchObject(NOT_FOUND);
  });

  test("is invalid once its person changes their password", async () => {
    const person = await newPerson(mine.id);
    const link = await makeReset(owner, person);
    const changed = await call("PATCH /staff/me/password", {
      headers: person.headers,
      body: { current_password: PASSWORD, new_password: NEW_PASSWORD },
    });
    expect(changed.status).toBe(200);
    expect(await reset(link, "a third horse's battery")).toMatchObject(NOT_FOUND);
  });

  test("for an owner or an admin can be created by an owner only", async () => {
    const admin = await newStaff(mine.id, "admin");
    for (const person of [owner, admin, await newStaff(mine.id, "admin")]) {
      expect(await askToReset(admin, person)).toMatchObject(INSUFFICIENT);
      expect((await askToReset(owner, person)).status).toBe(201);
    }
    expect((await askToReset(admin, await newStaff(mine.id, "operator"))).status).toBe(201);
  });

  test.each(["short", "passwordpassword", "x".repeat(256)])(
    "is not consumed by a refused password: %s",
    async (password) => {
      const link = await makeReset(owner, await newPerson(mine.id, "viewer"));
      expect(await reset(link, password)).toMatchObject({ status: 422 });
      expect((await reset(link)).status).toBe(200);
    },
  );
});

describe("a link's token", () => {
  test("is not stored in the database", async () => {
    const link = await invite();
    const rows = await testDatabase().db.execute(sql`select * from staff_links`);
    expect(JSON.stringify(rows)).toContain(link.id);
    expect(JSON.stringify(rows)).not.toContain(link.token);
  });

  test("cannot be guessed from one address more than thirty times", async () => {
    const address = newId();
    const replies: ApiReply[] = [];
    for (let attempt = 0; attempt < 31; attempt += 1) {
      replies.push(await use("read", { token: newId() }, address));
    }
    expect(statusesOf(replies)).toEqual([...Array.from({ length: 30 }, () => 404), 429]);
  });
});
