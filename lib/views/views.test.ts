import { eq, sql } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { testDatabase } from "#test/database/database.ts";
import { call } from "#test/scene/api-client.ts";
import { newIntegrator } from "#test/scene/fixtures.ts";
import { readAudit } from "#test/scene/recorded-events.ts";
import {
  ask,
  integrator,
  namesFor,
  operator,
  owner,
  save,
  toRefusal,
  usePeople,
  VIEW,
  viewer,
} from "#test/scene/saved-views.ts";
import { newStaff } from "#test/scene/staff.ts";
import { NOW } from "#db/schema/columns.ts";
import { staff } from "#db/schema/staff.ts";
import { savedViews } from "#db/schema/views.ts";
import { inTransaction, markCommit } from "#db/transaction.ts";

usePeople();

const unknown = { status: 404, code: "view_not_found", says: expect.any(String) };

describe("a person's own views", () => {
  test("are listed by name for them alone, on the list that they are of, whatever their role", async () => {
    await save(viewer, { name: "zeta" });
    await save(viewer, { name: "Alpha", query: "" });
    await save(viewer, { name: "Émile" });
    await save(viewer, { name: "Other", list: "api_log" });
    expect(await namesFor(viewer)).toEqual(["Alpha", "Émile", "zeta"]);
    expect(await namesFor(viewer, "api_log")).toEqual(["Other"]);
    expect(await namesFor(owner)).toEqual([]);
  });

  test("are changed and deleted by them, and keep what is not named", async () => {
    const { id } = await save(viewer, { name: "  Frozen  " });
    const { json } = await ask(viewer, `PATCH /views/${id}`, { query: "status=closed" });
    const data = { ...VIEW, id, query: "status=closed", is_mine: true, created_by: "Kim viewer" };
    expect(json).toMatchObject({ data });
    expect((await ask(viewer, `DELETE /views/${id}`)).json).toMatchObject({ data });
    expect(await namesFor(viewer)).toEqual([]);
  });

  test("are unknown to everybody else, of any role and any account", async () => {
    const { id } = await save(viewer);
    const stranger = await newStaff((await newIntegrator()).id, "owner");
    for (const other of [owner, operator, stranger]) {
      const changed = await ask(other, `PATCH /views/${id}`, { name: "Mine now" });
      const deleted = await ask(other, `DELETE /views/${id}`);
      expect([changed, deleted].map(toRefusal)).toEqual([unknown, unknown]);
    }
    expect(await namesFor(viewer)).toEqual(["Frozen"]);
  });

  test("are not for API keys", async () => {
    const { status, json } = await call("GET /views?list=cards", { key: integrator.apiKey });
    expect([status, json]).toMatchObject([403, { code: "scope_missing" }]);
  });
});

describe("a shared view", () => {
  test("is seen by all staff of the account, with who made it, and by nobody else", async () => {
    await save(operator, { shared: true });
    const { json } = await ask(viewer, "GET /views?list=cards");
    expect(json).toMatchObject({ data: [{ is_mine: false, created_by: "Kim operator" }] });
    const stranger = await newStaff((await newIntegrator()).id, "owner");
    expect(await namesFor(stranger)).toEqual([]);
  });

  test("is changed and deleted by its maker and by whoever manages staff, and by nobody else", async () => {
    const other = await newStaff(integrator.id, "operator");
    const admin = await newStaff(integrator.id, "admin");
    const { id } = await save(operator, { shared: true });
    const refused = {
      status: 403,
      code: "role_insufficient",
      says: "Only the person who made this view, owners, and admins can do this.",
    };
    for (const person of [other, viewer]) {
      const changed = await ask(person, `PATCH /views/${id}`, { name: "Hijacked" });
      const deleted = await ask(person, `DELETE /views/${id}`);
      expect([changed, deleted].map(toRefusal)).toEqual([refused, refused]);
    }
    const changed = await ask(admin, `PATCH /views/${id}`, { name: "Renamed" });
    expect(changed.json).toMatchObject({ data: { name: "Renamed", is_mine: false } });
    expect((await ask(operator, `DELETE /views/${id}`)).status).toBe(200);
    const { id: next } = await save(operator, { shared: true });
    expect((await ask(admin, `DELETE /views/${next}`)).status).toBe(200);
  });

  test("is not made by a viewer, neither at once nor later", async () => {
    const { id } = await save(viewer);
    const refused = {
      status: 403,
      code: "role_insufficient",
      says: "Only owners, admins, and operators can do this.",
    };
    const created = await ask(viewer, "POST /views", { ...VIEW, name: "New", shared: true });
    const shared = await ask(viewer, `PATCH /views/${id}`, { shared: true });
    expect([created, shared].map(toRefusal)).toEqual([refused, refused]);
  });

  test("of a person who has become a viewer can be made private or deleted by them, but not changed", async () => {
    const kept = await save(operator, { shared: true });
    const dropped = await save(operator, { name: "Dropped", shared: true });
    await ask(owner, `PATCH /staff/${operator.id}`, { role: "viewer" });
    const headers = await operator.signInAgain();
    const again = { ...operator, headers };
    const changed = await ask(again, `PATCH /views/${kept.id}`, { query: "status=active" });
    expect(toRefusal(changed)).toMatchObject({ status: 403, code: "role_insufficient" });
    const unshared = await ask(again, `PATCH /views/${kept.id}`, { shared: false });
    expect(unshared.json).toMatchObject({ data: { shared: false } });
    expect((await ask(again, `DELETE /views/${dropped.id}`)).status).toBe(200);
  });

  test("becomes private only by its maker", async () => {
    const { id } = await save(operator, { shared: true });
    const refused = await ask(owner, `PATCH /views/${id}`, { shared: false });
    const sentence = "Only the person who made this view can do this.";
    expect(toRefusal(refused)).toEqual({
      status: 422,
      code: "validation_failed",
      says: { shared: [sentence] },
    });
    const { json } = await ask(operator, `PATCH /views/${id}`, { shared: false });
    expect(json).toMatchObject({ data: { shared: false } });
    expect(await namesFor(owner)).toEqual([]);
  });
});

describe("when a person is removed", () => {
  test("their own views go, those that they shared stay with their name, and others' are untouched", async () => {
    await save(operator, { name: "Mine" });
    await save(operator, { name: "Ours", shared: true });
    await save(owner, { name: "Owner's" });
    await ask(owner, `DELETE /staff/${operator.id}`);
    const rows = await testDatabase()
      .db.select({ name: savedViews.name })
      .from(savedViews)
      .where(eq(savedViews.integratorId, integrator.id))
      .orderBy(savedViews.name);
    expect(rows.map(({ name }) => name)).toEqual(["Ours", "Owner's"]);
    const { json } = await ask(owner, "GET /views?list=cards");
    expect(json).toMatchObject({ data: [{ name: "Ours", created_by: "Kim operator" }, {}] });
  });

  test("a view that they save meanwhile waits for that, and is refused", async () => {
    const { db } = testDatabase();
    const { saving } = await inTransaction(db, async (tx) => {
      markCommit(tx, sql`true`);
      await tx.update(staff).set({ removedAt: NOW }).where(eq(staff.id, operator.id));
      const asked = ask(operator, "POST /views", VIEW);
      await expect.poll(countLockWaits).toBe(1);
      return { saving: asked };
    });
    expect(toRefusal(await saving)).toMatchObject({ status: 403, code: "role_insufficient" });
    expect(await db.$count(savedViews, eq(savedViews.staffId, operator.id))).toBe(0);
  });
});

async function countLockWaits(): Promise<number> {
  const rows = await testDatabase().db.execute(sql`
    select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`);
  return rows.length;
}

test("the audit log says who saved, changed, and deleted a view of which list, without its name and query", async () => {
  const { id } = await save(operator);
  await ask(operator, `PATCH /views/${id}`, { shared: true, name: "Renamed" });
  await ask(owner, `DELETE /views/${id}`);
  const entries = await readAudit(integrator, { targetId: id });
  const [list, own, shared] = ["cards", false, true] as const;
  expect(entries).toMatchObject([
    { action: "view.created", actor: { id: operator.id }, before: null, after: { list } },
    { action: "view.updated", before: { list, shared: own }, after: { list, shared } },
    { action: "view.deleted", actor: { id: owner.id }, before: { list, shared }, after: null },
  ]);
  expect(JSON.stringify(entries)).not.toMatch(/Frozen|Renamed|oldest/u);
});
