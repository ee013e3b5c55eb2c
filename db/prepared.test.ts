import { eq, sql } from "drizzle-orm";
import postgres from "postgres";
import { afterAll, beforeAll, expect, test } from "vitest";
import { testDatabase } from "#test/database/database.ts";
import { openDatabase } from "./client.ts";
import type { Database } from "./client.ts";
import { integrators } from "./schema/integrators.ts";
import { inSavepoint, inTransaction } from "./transaction.ts";
import { newId } from "#lib/base/ids.ts";

/** One connection, so that statements are prepared on this one. */
let opened: Database;

beforeAll(() => {
  opened = openDatabase(testDatabase().directUrl, { max: 1 });
});

afterAll(() => opened.close());

async function countPrepared(part: string): Promise<number> {
  const rows = await opened.db.execute<{ statement: string }>(
    sql`select statement from pg_prepared_statements`,
  );
  return rows.filter(({ statement }) => statement.includes(part)).length;
}

async function times(count: number, work: () => Promise<unknown>): Promise<void> {
  for (let turn = 0; turn < count; turn += 1) {
    await work();
  }
}

test("a repeated statement is prepared once: from the builder, in plain SQL, without parameters, in transactions and savepoints", async () => {
  const { db } = opened;
  await times(4, () => db.select().from(integrators).where(eq(integrators.id, newId())));
  await times(4, () => db.execute(sql`select ${newId()}::uuid as alone`));
  await times(4, () => db.execute(sql`select 1 as bare`));
  await times(4, () =>
    inTransaction(db, (tx) => tx.execute(sql`select ${newId()}::uuid as inside`)),
  );
  await times(4, () =>
    inTransaction(db, (tx) =>
      inSavepoint(tx, (inner) => inner.execute(sql`select ${newId()}::uuid as deeper`)),
    ),
  );
  for (const part of ['from "integrators"', "as alone", "as bare", "as inside", "as deeper"]) {
    expect(await countPrepared(part)).toBe(1);
  }
});

test("a statement that is sent once, is a search, or varies with the length of a list is not prepared", async () => {
  const { db } = opened;
  await db.execute(sql`select ${newId()}::uuid as once`);
  await times(4, () => db.execute(sql`select ${"a"}::text ilike ${"b"} as searched`));
  await times(4, () => db.execute(sql`select 1 as listed where 1 in (${1}, ${2})`));
  await times(4, () => db.execute(sql`select 1 as rows from (values (${1}::int), (${2}::int)) v`));
  for (const part of ["as once", "as searched", "as listed", "as rows"]) {
    expect(await countPrepared(part)).toBe(0);
  }
});

test("a connection keeps a bounded number of prepared statements, prepares new ones beyond it, and an evicted one works again", async () => {
  const { db } = opened;
  const ask = (number: number, value: string) =>
    inTransaction(db, (tx) =>
      tx.execute(sql`select ${value}::text as ${sql.identifier(`many_${number}`)}`),
    );
  for (let number = 0; number < 250; number += 1) {
    await times(3, () => ask(number, "x"));
  }
  expect(await countPrepared("")).toBeLessThanOrEqual(200);
  expect(await countPrepared("many_249")).toBe(1);
  expect(await countPrepared('many_0"')).toBe(0);
  await times(3, async () => expect(await ask(0, "again")).toEqual([{ many_0: "again" }]));
  expect(await countPrepared('many_0"')).toBe(1);
  expect(await countPrepared("")).toBeLessThanOrEqual(200);
});

test("a table that changes under a prepared statement costs one more attempt", async () => {
  const { db } = opened;
  const owner = postgres(testDatabase().ownerUrl, { max: 1, onnotice: () => undefined });
  await owner`create table changing (id int primary key, kept int)`;
  await owner`grant select on changing to ${owner(new URL(testDatabase().url).username)}`;
  await owner`insert into changing values (1, 7)`;
  const read = () =>
    inTransaction(db, (tx) => tx.execute(sql`select kept from changing where id = ${1}`));
  await times(4, read);
  expect(await countPrepared("changing")).toBe(1);
  await owner`alter table changing alter column kept type text`;
  expect(await read()).toMatchObject([{ kept: "7" }]);
  await owner`drop table changing`;
  await owner.end();
});

test("connections run in READ COMMITTED whatever the database's default is", async () => {
  const [row] = await inTransaction(opened.db, (tx) =>
    tx.execute(sql`select current_setting('transaction_isolation') as isolation`),
  );
  expect(row).toEqual({ isolation: "read committed" });
});
