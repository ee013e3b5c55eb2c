import { and, eq, sql } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { testDatabase } from "#test/database/database.ts";
import type { ApiReply } from "#test/scene/api-client.ts";
import {
  ask,
  integrator,
  operator,
  owner,
  save,
  toRefusal,
  usePeople,
  VIEW,
  viewer,
} from "#test/scene/saved-views.ts";
import type { TestStaff } from "#test/scene/staff.ts";
import { newId } from "#lib/base/ids.ts";
import { VIEWS_MAX } from "#lib/views/view-lists.ts";
import { savedViews } from "#db/schema/views.ts";

usePeople();

describe("a name", () => {
  const ofMine = {
    status: 422,
    code: "validation_failed",
    says: { name: ["Another of your views of this list has this name."] },
  };
  const ofShared = {
    ...ofMine,
    says: { name: ["Another shared view of this list has this name."] },
  };

  test("is unique among a person's own views of a list, and among the shared ones, whatever its case", async () => {
    const mine = await save(operator);
    expect(toRefusal(await ask(operator, "POST /views", { ...VIEW, name: "FROZEN" }))).toEqual(
      ofMine,
    );
    const other = await save(operator, { name: "Closed" });
    const renamed = await ask(operator, `PATCH /views/${other.id}`, { name: "frozen" });
    expect(toRefusal(renamed)).toEqual(ofMine);
    const shared = await save(owner, { shared: true });
    const reshared = await ask(operator, `PATCH /views/${mine.id}`, { shared: true });
    expect(toRefusal(reshared)).toEqual(ofShared);
    // The same name is free on another list, to another person, and in another case for the view itself.
    await save(operator, { list: "float" });
    await save(viewer);
    expect((await ask(owner, `PATCH /views/${shared.id}`, { name: "FROZEN" })).status).toBe(200);
  });

  test.each([
    ["of a person's own", false],
    ["of shared views", true],
  ])("%s is taken once by many requests at once", async (_which, shared) => {
    const people = shared ? [owner, operator] : [operator, operator];
    const replies = await Promise.all(
      [...people, ...people, ...people].map((person) =>
        ask(person, "POST /views", { ...VIEW, shared }),
      ),
    );
    expect(toOutcome(replies)).toEqual({ saved: 1, refused: 5 });
  });

  test.each([
    ["of a person", false, "saved_views_own"],
    ["of an account", true, "saved_views_shared"],
  ])("%s is not stored twice, whatever the code does", async (_which, shared, constraint) => {
    const { id } = await save(operator, { shared });
    const copy = sql`
      insert into saved_views (integrator_id, id, staff_id, list, name, query, shared)
      select integrator_id, ${newId()}, staff_id, list, upper(name), query, shared
      from saved_views where id = ${id}`;
    await expect(testDatabase().db.execute(copy)).rejects.toMatchObject({
      cause: { constraint_name: constraint },
    });
  });

  test.each([
    ["without a character", "", "This field must not be empty."],
    ["of spaces", "  ", "This field must not be empty."],
    ["of 61 characters", "x".repeat(61), "This field must be at most 60 characters long."],
  ])("%s is refused", async (_which, name, sentence) => {
    const refused = await ask(viewer, "POST /views", { ...VIEW, name });
    expect(toRefusal(refused)).toMatchObject({ status: 422, says: { name: [sentence] } });
  });
});

describe("a query", () => {
  test.each([
    ["of a page", "status=frozen&cursor=abc", "A view cannot have the member cursor."],
    ["of an open record", "%6Fpen=1", "A view cannot have the member open."],
    ["with its ?", "?status=frozen", "This field must be what follows the ?, without it."],
    ["too long", "x".repeat(2_001), "This field must be at most 2000 characters long."],
  ])("%s is refused", async (_which, query, sentence) => {
    const { id } = await save(viewer);
    const created = await ask(viewer, "POST /views", { ...VIEW, name: "New", query });
    const changed = await ask(viewer, `PATCH /views/${id}`, { query });
    for (const refused of [created, changed]) {
      expect(toRefusal(refused)).toMatchObject({ status: 422, says: { query: [sentence] } });
    }
  });

  test.each([
    ["without filters", ""],
    ["with text", "search=caf%C3%A9+%26&opened=1"],
    ["of 2,000 characters", "x".repeat(2_000)],
  ])("%s is kept as it is", async (_which, query) => {
    const { id } = await save(viewer, { query });
    const { json } = await ask(viewer, "GET /views?list=cards");
    expect(json).toMatchObject({ data: [{ id, query }] });
  });
});

/** Saves so many views of a person without a request. */
async function fill(person: TestStaff, shared: boolean, count: number): Promise<void> {
  const rows = Array.from({ length: count }, (_, index) => ({
    integratorId: integrator.id,
    id: newId(),
    staffId: person.id,
    list: index % 2 === 0 ? ("cards" as const) : ("float" as const),
    name: `View ${index}`,
    query: "",
    shared,
  }));
  await testDatabase().db.insert(savedViews).values(rows);
}

/** How many were saved, and how many were refused. */
function toOutcome(replies: readonly ApiReply[]) {
  const refused = replies.filter(({ status }) => status === 422).length;
  const saved = replies.filter(({ status }) => status < 300).length;
  return { saved, refused };
}

describe("there are at most 50", () => {
  test("of a person's own, over all lists, also when they are saved at once", async () => {
    await fill(viewer, false, VIEWS_MAX - 1);
    const more = ["One", "Two", "Three"].map((name) =>
      ask(viewer, "POST /views", { ...VIEW, name }),
    );
    expect(toOutcome(await Promise.all(more))).toEqual({ saved: 1, refused: 2 });
    const refused = await ask(viewer, "POST /views", { ...VIEW, name: "Four" });
    const sentence = "A person may keep 50 views of their own. Delete one first.";
    expect(toRefusal(refused)).toMatchObject({ says: { shared: [sentence] } });
    await save(owner);
  });

  test("that an account shares, also when they are shared at once, and own ones are still kept", async () => {
    await fill(owner, true, VIEWS_MAX - 1);
    const mine = await save(operator, { name: "Mine" });
    const more = [
      ask(owner, "POST /views", { ...VIEW, shared: true }),
      ask(operator, `PATCH /views/${mine.id}`, { shared: true }),
    ];
    expect(toOutcome(await Promise.all(more))).toEqual({ saved: 1, refused: 1 });
    const refused = await ask(owner, "POST /views", { ...VIEW, name: "Last", shared: true });
    const sentence = "An account may share 50 views. Delete one first.";
    expect(toRefusal(refused)).toMatchObject({ says: { shared: [sentence] } });
    await save(operator, { name: "Own" });
  });

  test("and a full set does not keep its views from changing", async () => {
    await fill(viewer, false, VIEWS_MAX);
    const [{ id } = { id: "" }] = await testDatabase()
      .db.select({ id: savedViews.id })
      .from(savedViews)
      .where(and(eq(savedViews.integratorId, integrator.id), eq(savedViews.name, "View 7")));
    expect((await ask(viewer, `PATCH /views/${id}`, { name: "Seven" })).status).toBe(200);
  });
});

describe("the database refuses a view", () => {
  test.each([
    ["of a list that has none", sql`list = 'nowhere'`, "saved_views_list"],
    ["without a name", sql`name = ''`, "saved_views_name"],
    ["with a longer name", sql`name = repeat('x', 61)`, "saved_views_name"],
    ["with a longer query", sql`query = repeat('x', 2001)`, "saved_views_query"],
    ["of nobody on the account's staff", sql`staff_id = gen_random_uuid()`, "saved_views_staff"],
  ])("%s, whatever the code does", async (_which, change, constraint) => {
    const { id } = await save(operator);
    const changing = testDatabase().db.execute(
      sql`update saved_views set ${change} where integrator_id = ${integrator.id} and id = ${id}`,
    );
    await expect(changing).rejects.toMatchObject({ cause: { constraint_name: constraint } });
  });
});
