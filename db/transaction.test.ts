import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import { testDatabase } from "#test/database/database.ts";
import { openDatabase } from "./client.ts";
import type { Database } from "./client.ts";
import { databaseCode } from "./failures.ts";
import { pipeline } from "./pipeline.ts";
import { inSavepoint, inTransaction, markCommit, onCommit } from "./transaction.ts";
import type { Tx } from "./transaction.ts";

/** One connection, so that each transaction sees what the previous one left behind. */
let opened: Database;

beforeAll(() => {
  opened = openDatabase(testDatabase().url, { max: 1 });
});

afterAll(() => opened.close());

function append(name: string) {
  return sql<string>`set_config('test.seen', coalesce(current_setting('test.seen', true), '') || ${name}::text, true)`;
}

async function appendPlainly(tx: Tx, name: string): Promise<unknown> {
  return tx.execute(sql`select ${append(name)} as seen`);
}

async function appendByBuilder(tx: Tx, name: string): Promise<unknown> {
  return tx.select({ seen: append(name) }).from(sql`(select 1) as one`);
}

async function readSeen(tx: Tx): Promise<unknown> {
  const [row] = await tx.execute(sql`select current_setting('test.seen', true) as seen`);
  return row?.["seen"];
}

test("steps reach the database in the order in which they were started, prepared or not", async () => {
  for (let turn = 0; turn < 5; turn += 1) {
    const seen = await inTransaction(opened.db, async (tx) => {
      await pipeline([
        appendPlainly(tx, "a"),
        appendByBuilder(tx, "b"),
        pipeline([appendByBuilder(tx, "c"), appendPlainly(tx, "d")]),
        appendPlainly(tx, "e"),
      ]);
      return readSeen(tx);
    });
    expect(seen).toBe("abcde");
  }
});

test.each([
  ["off", "on"],
  ["remote_apply", "remote_apply"],
])("COMMIT waits for the disk: synchronous_commit %s becomes %s", async (own, expected) => {
  const settings = { synchronous_commit: own };
  const other = openDatabase(testDatabase().url, { max: 1, settings });
  try {
    const [row] = await inTransaction(other.db, (tx) =>
      tx.execute<{ value: string }>(sql`select current_setting('synchronous_commit') as value`),
    );
    expect(row?.value).toBe(expected);
  } finally {
    await other.close();
  }
});

test("no statement of a transaction is compiled, however expensive its plan seems", async () => {
  const rows = await inTransaction(opened.db, (tx) => tx.execute<{ jit: string }>(sql`show jit`));
  expect(rows).toEqual([{ jit: "off" }]);
});

test("a query passed without being awaited runs once", async () => {
  const seen = await inTransaction(opened.db, async (tx) => {
    await pipeline([tx.execute(sql`select ${append("x")} as seen`)]);
    return readSeen(tx);
  });
  expect(seen).toBe("x");
});

const DAWDLE_MS = 100;

async function dawdle(tx: Tx): Promise<void> {
  await tx.execute(sql`select 1 as begun`);
  await sleep(DAWDLE_MS);
  await tx.execute(sql`select set_config('test.late', 'yes', false)`);
}

async function fail(tx: Tx): Promise<unknown> {
  return tx.execute(sql`select 1 / 0 as nothing`);
}

test("the failure is reported, however deep, and the other steps send nothing after the transaction", async () => {
  const failure = await inTransaction(opened.db, (tx) =>
    pipeline([dawdle(tx), pipeline([fail(tx)]), appendPlainly(tx, "after")]),
  ).then(() => "none", databaseCode);
  await sleep(2 * DAWDLE_MS);
  const [row] = await opened.db.execute(sql`select current_setting('test.late', true) as late`);
  expect(row).toEqual({ late: null });
  // Later statements failed because the transaction was aborted; the caller needs the original error.
  expect(failure).toBe("22012");
});

test("commit listeners do not hear of work that a savepoint rolled back", async () => {
  const notified: string[] = [];
  await inTransaction(opened.db, async (tx) => {
    onCommit(tx, () => notified.push("whole"));
    await inSavepoint(tx, async (inner) => onCommit(inner, () => notified.push("kept")));
    const undone = inSavepoint(tx, async (inner) => {
      onCommit(inner, () => notified.push("undone"));
      await fail(inner);
    });
    await expect(undone).rejects.toThrow();
  });
  expect(notified).toEqual(["whole", "kept"]);
});

async function writeSomething(tx: Tx): Promise<unknown> {
  return tx.execute(sql`
    insert into sign_in_failures (id, name_hash, address) values (gen_random_uuid(), 'a name', 'an address')`);
}

test("in tests, a write without a commit marker is not committed", async () => {
  await expect(inTransaction(opened.db, writeSomething)).rejects.toThrow("no commit marker");
  const count = () => opened.db.execute(sql`select from sign_in_failures`);
  expect(await count()).toHaveLength(0);
  await inTransaction(opened.db, async (tx) => {
    markCommit(tx, sql`exists (select from sign_in_failures)`);
    await writeSomething(tx);
  });
  expect(await count()).toHaveLength(1);
  // Reads, and locks without a change, need no marker; earlier writes on the connection do not count.
  await inTransaction(opened.db, (tx) => tx.execute(sql`select from sign_in_failures for update`));
});

async function writeUnmarked(tx: Tx): Promise<void> {
  const undone = inSavepoint(tx, async (inner) => {
    markCommit(inner, sql`true`);
    await fail(inner);
  });
  await expect(undone).rejects.toThrow();
  await writeSomething(tx);
}

test("a marker that a savepoint rolled back does not count", async () => {
  await expect(inTransaction(opened.db, writeUnmarked)).rejects.toThrow("no commit marker");
});
