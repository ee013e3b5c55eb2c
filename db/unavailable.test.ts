import { sql } from "drizzle-orm";
import postgres from "postgres";
import type { Sql } from "postgres";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openDatabase } from "./client.ts";
import { databaseCode } from "./failures.ts";
import { whileAway } from "#test/database/broken-database.ts";
import { testDatabase } from "#test/database/database.ts";
import { inTime, inTransaction, markCommit } from "./transaction.ts";

let owner: Sql;

beforeAll(async () => {
  const { url, ownerUrl } = testDatabase();
  owner = postgres(ownerUrl, { max: 1, onnotice: () => undefined });
  await owner`create table hurt (state text primary key)`;
  await owner`grant select, insert on hurt to ${owner(new URL(url).username)}`;
  await owner`create function hurt() returns trigger language plpgsql as
    $$ begin raise exception using errcode = new.state; end $$`;
});

afterAll(() => owner.end());

async function insert(state: string): Promise<string | undefined> {
  return inTransaction(testDatabase().db, (tx) => {
    markCommit(tx, sql`exists (select from hurt where state = ${state})`);
    return tx.execute(sql`insert into hurt values (${state})`);
  }).then(() => "none", databaseCode);
}

/** A full disk, no memory, a failing disk, a standby, a revoked right, a shutdown, an unknown outcome, a lost connection. */
const STATES = ["53100", "53200", "58030", "25006", "42501", "57P01", "40003", "08006"];

test.each([
  ["while the work is done", "create trigger hurt before insert on hurt"],
  [
    "at COMMIT",
    "create constraint trigger hurt after insert on hurt deferrable initially deferred",
  ],
])(
  "work the database cannot do now, %s, leaves nothing behind and may be retried",
  async (_, trigger) => {
    await owner.unsafe(`${trigger} for each row execute function hurt()`);
    for (const state of STATES) {
      const code = state === "53100" ? "database_full" : "database_unavailable";
      expect(`${state} ${await insert(state)}`).toBe(`${state} ${code}`);
    }
    expect(await owner`select from hurt`).toHaveLength(0);
    await owner`drop trigger hurt on hurt`;
  },
);

test("a read-only database refuses changes as unavailable, and still serves reads", async () => {
  const { name, directUrl: url } = testDatabase();
  await owner`alter database ${owner(name)} set default_transaction_read_only = on`;
  const opened = openDatabase(url, { max: 1 });
  try {
    const writing = inTransaction(opened.db, (tx) =>
      tx.execute(sql`insert into hurt values (${"x"})`),
    );
    await expect(writing).rejects.toMatchObject({
      code: "database_unavailable",
      cause: { cause: { code: "25006" } },
    });
    expect(await inTime(() => opened.db.execute(sql`select 1 as one`))).toHaveLength(1);
  } finally {
    await opened.close();
    await owner`set default_transaction_read_only = off`;
    await owner`alter database ${owner(name)} reset default_transaction_read_only`;
  }
});

test("a refused connection leaves no error behind for the first statement of the next one", async () => {
  const { db, close } = openDatabase(testDatabase().url, { max: 1 });
  await db.execute(sql`select 1`);
  const interrupted = db.execute(sql`select pg_sleep(30)`).then(() => "none", databaseCode);
  await whileAway(async () => {
    expect(await interrupted).not.toBe("none");
    await expect(db.execute(sql`select 1`)).rejects.toThrow();
  });
  expect(await db.execute(sql`select 1 as answer`)).toEqual([{ answer: 1 }]);
  await close();
});
