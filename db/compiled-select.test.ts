import { eq, sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { newIntegrator } from "#test/scene/fixtures.ts";
import { runSelect } from "./compiled-select.ts";
import { integrators } from "./schema/integrators.ts";
import { pipeline } from "./pipeline.ts";
import { testDatabase } from "#test/database/database.ts";
import { begin } from "./transaction.ts";
import type { Tx } from "./transaction.ts";

test("rows are those of the query builder, decoded alike, for the values of each call", async () => {
  const { db } = testDatabase();
  const ids = [(await newIntegrator(0)).id, (await newIntegrator(0)).id];
  for (const id of ids) {
    const rows = await runSelect(db, {
      key: "an integrator, for a test",
      build: (builder) =>
        builder
          .select()
          .from(integrators)
          .where(eq(integrators.id, sql.placeholder("id"))),
      values: { id },
    });
    expect(rows).toEqual(await db.select().from(integrators).where(eq(integrators.id, id)));
    expect(rows).toHaveLength(1);
  }
});

test("columns listed by name are a part of the row, like the columns of a table", async () => {
  const { id } = await newIntegrator(0);
  const rows = await runSelect(testDatabase().db, {
    key: "some columns of an integrator",
    build: (builder) =>
      builder
        .select({ whose: { id: integrators.id, since: integrators.createdAt } })
        .from(integrators)
        .where(eq(integrators.id, sql.placeholder("id"))),
    values: { id },
  });
  expect(rows).toEqual([{ whose: { id, since: expect.any(Date) } }]);
});

test("a call that lacks a value is refused", async () => {
  const select = runSelect(testDatabase().db, {
    key: "without its value",
    build: (builder) => builder.select().from(integrators).limit(sql.placeholder("rowsMax")),
    values: {},
  });
  await expect(select).rejects.toThrow('The placeholder "rowsMax" has no value.');
});

test("a reusable select that contains a value is refused: the value would be that of another call", async () => {
  const { id } = await newIntegrator(0);
  const select = runSelect(testDatabase().db, {
    key: "with a value",
    build: (builder) => builder.select().from(integrators).where(eq(integrators.id, id)),
    values: {},
  });
  await expect(select).rejects.toThrow("contains a value");
});

test("one key for two selects is noticed", async () => {
  const { db } = testDatabase();
  const run = (column: "id" | "businessName") =>
    runSelect(db, {
      key: "one key",
      build: (builder) =>
        builder
          .select({ id: integrators[column] })
          .from(integrators)
          .limit(sql.placeholder("rowsMax")),
      values: { rowsMax: 1 },
    });
  await run("id");
  await expect(run("businessName")).rejects.toThrow("stands for two selects");
});

test("in a pipeline it is sent in its turn: it sees what the steps before it did, and not what those after it do", async () => {
  const { id } = await newIntegrator();
  const rename = async (tx: Tx, businessName: string) => {
    await tx.update(integrators).set({ businessName }).where(eq(integrators.id, id));
  };
  const rows = await begin(testDatabase().db, async (tx) => {
    const [, seen] = await pipeline([
      rename(tx, "Before"),
      runSelect(tx, {
        key: "a name, for a test",
        build: (builder) =>
          builder
            .select({ name: integrators.businessName })
            .from(integrators)
            .where(eq(integrators.id, sql.placeholder("id"))),
        values: { id },
      }),
      rename(tx, "After"),
    ]);
    return seen;
  });
  expect(rows).toEqual([{ name: "Before" }]);
});
