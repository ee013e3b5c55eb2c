import { sql } from "drizzle-orm";
import { beforeAll, describe, expect, test } from "vitest";
import { call } from "#test/scene/api-client.ts";
import type { ApiReply } from "#test/scene/api-client.ts";
import { testDatabase } from "#test/database/database.ts";
import { newIntegrator, newOrigin } from "#test/scene/fixtures.ts";
import { newStaff } from "#test/scene/staff.ts";
import type { TestStaff } from "#test/scene/staff.ts";
import {
  accept,
  askToInvite,
  makeInvitation,
  makeReset,
  read,
  reset,
} from "#test/scene/staff-links.ts";
import type { Shown } from "#test/scene/staff-links.ts";
import type { Member } from "#lib/base/actor.ts";
import { newId } from "#lib/base/ids.ts";
import { removeStaff } from "#lib/staff/staff.ts";
import { inTransaction } from "#db/transaction.ts";
import type { Role } from "#lib/access/roles.ts";

/** Links are revoked with the rights of those who created them: no one returns by one. */

const NOT_FOUND = { status: 404, json: { code: "link_not_found" } };

let integratorId: string;
let owner: TestStaff;

beforeAll(async () => {
  integratorId = (await newIntegrator()).id;
  owner = await newStaff(integratorId, "owner");
});

function remove({ id }: TestStaff): Promise<ApiReply> {
  return call(`DELETE /staff/${id}`, { headers: owner.headers });
}

function changeRole({ id }: TestStaff, role: Role): Promise<ApiReply> {
  return call(`PATCH /staff/${id}`, { headers: owner.headers, body: { role } });
}

/** Links for a new person and for an existing one. */
async function makeLinks(by: TestStaff): Promise<{ invitation: Shown; password: Shown }> {
  const colleague = await newStaff(integratorId, "operator");
  return {
    invitation: await makeInvitation(by, "admin"),
    password: await makeReset(by, colleague),
  };
}

/** The answers to opening and using the links. */
async function useAll({ invitation, password }: { invitation: Shown; password: Shown }) {
  const replies = [
    await read(invitation),
    await read(password),
    await accept(invitation),
    await reset(password),
  ];
  return replies.map(({ status }) => status);
}

const DEAD = [404, 404, 404, 404];

/** Makes it look as if a link was created at the moment its creator lost their rights. */
async function reopen(...links: readonly Shown[]): Promise<void> {
  for (const { id } of links) {
    await testDatabase().db.execute(
      sql`update staff_links set revoked_at = null, used_at = null where id = ${id}`,
    );
  }
}

describe("a removed person", () => {
  test("leaves no link with which they could return", async () => {
    const admin = await newStaff(integratorId, "admin");
    const links = await makeLinks(admin);
    expect((await remove(admin)).status).toBe(200);
    expect(await useAll(links)).toEqual(DEAD);
    const { text } = await call("GET /staff", { headers: owner.headers });
    expect(text).not.toContain(links.invitation.id);
  });

  test("is checked again when one of their links is used", async () => {
    const admin = await newStaff(integratorId, "admin");
    const links = await makeLinks(admin);
    await remove(admin);
    await reopen(links.invitation, links.password);
    expect(await useAll(links)).toEqual(DEAD);
  });

  test("cannot return by an unused invitation for their own email", async () => {
    const invitation = await makeInvitation(owner, "admin");
    const admin = await newStaff(integratorId, "admin");
    await testDatabase().db.execute(
      sql`update staff set email = ${invitation.email.toUpperCase()} where id = ${admin.id}`,
    );
    await remove(admin);
    expect(await accept(invitation)).toMatchObject(NOT_FOUND);
    // Inviting them again takes a new decision.
    expect((await askToInvite(owner, invitation.email)).status).toBe(201);
  });

  test("does not affect the links of others", async () => {
    const [admin, other] = [
      await newStaff(integratorId, "admin"),
      await newStaff(integratorId, "admin"),
    ];
    const { invitation, password } = await makeLinks(other);
    await remove(admin);
    expect((await accept(invitation)).status).toBe(201);
    expect((await reset(password)).status).toBe(200);
  });
});

describe("a person whose role changed", () => {
  test.each(["operator", "viewer"] as const)(
    "keeps no link that a %s could not create",
    async (role) => {
      const admin = await newStaff(integratorId, "admin");
      const links = await makeLinks(admin);
      await changeRole(admin, role);
      expect(await useAll(links)).toEqual(DEAD);
      await reopen(links.invitation, links.password);
      expect(await useAll(links)).toEqual(DEAD);
    },
  );

  test("keeps only the links that the new role could create", async () => {
    const other = await newStaff(integratorId, "owner");
    const links = await makeLinks(other);
    const invitation = await makeInvitation(other, "owner");
    const toOwner = await makeReset(other, await newStaff(integratorId, "owner"));
    const toAdmin = await makeReset(other, await newStaff(integratorId, "admin"));
    await changeRole(other, "admin");
    for (const password of [toOwner, toAdmin]) {
      expect(await useAll({ invitation, password })).toEqual(DEAD);
      await reopen(invitation, password);
      expect(await useAll({ invitation, password })).toEqual(DEAD);
    }
    expect((await accept(links.invitation)).status).toBe(201);
    expect((await reset(links.password)).status).toBe(200);
  });

  test("keeps their links after a promotion", async () => {
    const admin = await newStaff(integratorId, "admin");
    const links = await makeLinks(admin);
    await changeRole(admin, "owner");
    expect((await accept(links.invitation)).status).toBe(201);
    expect((await reset(links.password)).status).toBe(200);
  });
});

test("a link used while its creator is being removed waits for the removal, and is then refused", async () => {
  const { db } = testDatabase();
  const admin = await newStaff(integratorId, "admin");
  const { invitation, password } = await makeLinks(admin);
  const removed = Promise.withResolvers<void>();
  const commit = Promise.withResolvers<void>();
  const removal = inTransaction(db, async (tx) => {
    await removeStaff({ tx, actor: toActor(owner), request: newOrigin() }, admin.id);
    removed.resolve();
    await commit.promise;
  });
  await removed.promise;
  const used = Promise.all([accept(invitation), reset(password)]);
  await Promise.race([used, untilWaiting(2)]);
  commit.resolve();
  await removal;
  expect(await used).toMatchObject([NOT_FOUND, NOT_FOUND]);
});

/** Waits until this many transactions are blocked by a lock. */
async function untilWaiting(count: number): Promise<void> {
  const { db } = testDatabase();
  const waiting = async () => {
    const [row] = await db.execute<{ count: number }>(sql`
      select count(*)::int as count from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`);
    return row?.count ?? 0;
  };
  while ((await waiting()) < count);
}

function toActor({ id }: TestStaff): Member {
  return {
    kind: "member",
    integratorId,
    scopes: new Set(),
    ref: { type: "staff", id, name: "Kim owner" },
    staff: {
      id,
      sessionId: newId(),
      role: "owner",
      fresh: true,
      hasSecondFactor: false,
      mustEnroll: false,
    },
  };
}

test("an invitation created while its creator is removed is refused or revoked with them", async () => {
  for (let round = 0; round < 6; round += 1) {
    const admin = await newStaff(integratorId, "admin");
    const colleague = await newStaff(integratorId, "viewer");
    const [, ...made] = await Promise.allSettled([
      remove(admin),
      makeInvitation(admin, "admin"),
      makeReset(admin, colleague),
    ]);
    const links = made.flatMap((one) => (one.status === "fulfilled" ? [one.value] : []));
    for (const link of links) {
      expect(await read(link)).toMatchObject(NOT_FOUND);
    }
    const [row] = await testDatabase().db.execute(sql`
      select count(*)::int as open from staff_links
      where created_by ->> 'id' = ${admin.id} and used_at is null and revoked_at is null`);
    expect(row).toEqual({ open: 0 });
  }
});
