import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { execFileSync } from "node:child_process";
import { tmpdir } from "node:os";
import path from "node:path";
import { pipeline } from "node:stream/promises";
import postgres from "postgres";
import type { Sql } from "postgres";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { openDatabase } from "./client.ts";
import type { Database, Db } from "./client.ts";
import { startEmbedded } from "./embedded.ts";
import type { EmbeddedDatabase } from "./embedded.ts";
import { migrate } from "./migrate.ts";
import { testDatabase } from "#test/database/database.ts";
import { move, newCard, newIntegrator, newOrigin } from "#test/scene/fixtures.ts";
import { findRollupFaults } from "#test/database/rollup-faults.ts";
import type { TestIntegrator } from "#test/scene/fixtures.ts";
import { inTransaction } from "./transaction.ts";
import { rollUp } from "#lib/overview/rollup.ts";
import { listEvents } from "#lib/webhooks/event-reads.ts";
import { moveFunds } from "#lib/funds/funds.ts";
import { performOne } from "#lib/group-commit/batch.ts";
import { checkBooks } from "#lib/ledger/monitor.ts";
import { verifyBooks } from "#lib/ledger/verify.ts";

/** How a database moves from one cluster to another. */
type Restore = (from: string, to: string) => Promise<void> | void;

let integrator: TestIntegrator;
let cardId: string;
let recorded: string[];

function connect(url: string): Sql {
  return postgres(url, { max: 1, onnotice: () => undefined });
}

async function using<T>(url: string, work: (sql: Sql) => Promise<T>): Promise<T> {
  const sql = connect(url);
  try {
    return await work(sql);
  } finally {
    await sql.end();
  }
}

/** Reads the feed to its end, like a consumer. */
async function consume(db: Db, after?: string): Promise<{ ids: string[]; cursor: string }> {
  const ids: string[] = [];
  let cursor = after;
  for (;;) {
    const page = await listEvents({ db, actor: integrator.actor }, { limit: 3, after: cursor });
    cursor = page.nextCursor ?? undefined;
    if (page.rows.length === 0) {
      return { ids, cursor: cursor ?? "" };
    }
    ids.push(...page.rows.map(({ id }) => id));
  }
}

/** The ids of this integrator's events, in order of creation. */
async function readEventIds(db: Sql): Promise<string[]> {
  const rows = await db<{ id: string }[]>`
    select id from events where integrator_id = ${integrator.id} order by id`;
  return rows.map(({ id }) => id);
}

async function credit(db: Db, amount: number): Promise<void> {
  await inTransaction(db, (tx) =>
    performOne(tx, moveFunds, {
      kind: "credit",
      actor: integrator.actor,
      request: newOrigin(),
      cardId,
      amount,
      idempotencyKey: null,
    }),
  );
}

beforeAll(async () => {
  const { ownerUrl, db } = testDatabase();
  // This cluster has assigned many more transaction ids than a new one, and keeps assigning them while
  // nothing is recorded.
  const useUpIds = (count: number) =>
    using(ownerUrl, (owner) =>
      owner.unsafe(`do $$ begin
        for i in 1..${count} loop perform pg_current_xact_id(); commit; end loop; end $$`),
    );
  await useUpIds(20_000);
  integrator = await newIntegrator(10_000);
  cardId = (await newCard(integrator, 100)).id;
  for (const amount of [1, 2, 3, 4]) {
    await move(integrator, { kind: "credit", cardId, amount });
  }
  await useUpIds(20_000);
  expect(await checkBooks(db, "recent")).toEqual([]);
  await useUpIds(20_000);
  expect(await rollUp(db)).toBe(false);
  recorded = await using(ownerUrl, readEventIds);
  // As when the server starts.
  expect(await migrate(ownerUrl)).toEqual({ isRestored: false });
});

/**
 * Copies table by table like pg_restore: rows unchanged but written anew, with triggers and foreign keys
 * disabled.
 */
const copyTables: Restore = async (from, to) => {
  await migrate(to);
  await using(from, (source) =>
    using(to, async (target) => {
      const tables = await source<{ name: string; kind: string }[]>`
        select relname as name, relkind as kind from pg_class
        where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')`;
      const [base] = await source`select pg_get_functiondef('feed_base'::regproc) as definition`;
      await target`set session_replication_role = replica`;
      await target.unsafe(`truncate ${tables.map(({ name }) => name).join(", ")}`);
      await target.unsafe(String(base?.["definition"]));
      // The rows of a partitioned table are those of its partitions.
      for (const { name } of tables.filter(({ kind }) => kind === "r")) {
        await pipeline(
          await source`copy ${source(name)} to stdout`.readable(),
          await target`copy ${target(name)} from stdin`.writable(),
        );
      }
    }),
  );
};

const dump: Restore = (from, to) => {
  const text = execFileSync("pg_dump", ["--no-owner", "--no-privileges", "--dbname", from], {
    maxBuffer: 2 ** 28,
  });
  execFileSync("psql", ["--quiet", "--set", "ON_ERROR_STOP=1", "--dbname", to], { input: text });
};

/** Whether a pg_dump no older than the server is installed; the npm packages of PostgreSQL include none. */
async function canDump(): Promise<boolean> {
  const [row] = await using(inject("adminUrl"), (admin) => admin`show server_version`);
  try {
    const version = execFileSync("pg_dump", ["--version"], { encoding: "utf8" });
    return toMajor(version) >= toMajor(` ${String(row?.["server_version"])}`);
  } catch {
    return false;
  }
}

function toMajor(version: string): number {
  return Number(/ (?<major>[0-9]+)/u.exec(version)?.groups?.["major"]);
}

describe.each<[string, boolean, Restore]>([
  ["copied table by table", true, copyTables],
  ["restored from pg_dump", await canDump(), dump],
])("a database %s into another cluster", (_how, isPossible, restore) => {
  let dir: string;
  let cluster: EmbeddedDatabase;
  let opened: Database;

  beforeAll(async () => {
    dir = mkdtempSync(path.join(tmpdir(), "floatdeck-restored-"));
    chmodSync(dir, 0o755);
    cluster = await startEmbedded(dir, ["fsync=off"]);
    opened = openDatabase(cluster.appUrl, { max: 4 });
  });

  afterAll(async () => {
    await opened.close();
    await cluster.stop();
    rmSync(dir, { recursive: true, force: true });
  });

  test.runIf(isPossible)(
    "continues: a consumer misses no event and sees none twice, and the books checks continue",
    async () => {
      const { db: source, ownerUrl } = testDatabase();
      const half = await listEvents({ db: source, actor: integrator.actor }, { limit: 4 });
      await restore(ownerUrl, cluster.ownerUrl);
      const asOwner = openDatabase(cluster.ownerUrl, { max: 1 });
      const discrepancies = await verifyBooks(asOwner.db).finally(() => asOwner.close());
      expect(discrepancies.map(({ rule }) => rule)).toContain("every record lies in the past");

      const appRole = cluster.appRole;
      expect(await migrate(cluster.ownerUrl, appRole)).toEqual({ isRestored: true });
      expect(await migrate(cluster.ownerUrl, appRole)).toEqual({ isRestored: false });
      expect(await verifyBooks(opened.db)).toEqual([]);
      expect((await consume(opened.db)).ids).toEqual(recorded);
      const rest = await consume(opened.db, half.nextCursor ?? undefined);
      expect([...half.rows.map(({ id }) => id), ...rest.ids]).toEqual(recorded);

      // Whoever has read events that were lost since the dump goes on as well.
      const [lost] = await using(ownerUrl, readPosition);
      await credit(opened.db, 5);
      await credit(opened.db, 6);
      const all = await using(cluster.ownerUrl, readEventIds);
      expect(all).toHaveLength(recorded.length + 2);
      expect((await consume(opened.db, rest.cursor)).ids).toEqual(all.slice(recorded.length));
      expect((await consume(opened.db)).ids).toEqual(all);
      const ahead = `${BigInt(String(lost?.["at"])) + 1_000_000n}.${rest.cursor.split(".")[1]}`;
      expect((await consume(opened.db, ahead)).ids).toEqual(all.slice(recorded.length));

      // The overview's sums contain what came before and after, also once they have been rolled up.
      expect(await findRollupFaults(opened.db)).toEqual([]);
      expect(await rollUp(opened.db)).toBe(false);
      expect(await findRollupFaults(opened.db)).toEqual([]);

      // The running check still covers a change made here.
      await using(cluster.ownerUrl, async (owner) => {
        await owner`set session_replication_role = replica`;
        await owner`update ledger_accounts set balance = balance + 1 where id = ${cardId}`;
      });
      expect(await checkBooks(opened.db, "recent")).toMatchObject([{ about: cardId }]);
    },
  );
});

/** The position of what would be recorded now. */
function readPosition(sql: Sql) {
  return sql`select feed_position()::text as at`;
}

function readBase(sql: Sql) {
  return sql`select feed_base()::text as base`;
}

// The database itself is a copy: its files were copied from a template.
test("rows written by their own cluster keep their order, even in a rewritten table", async () => {
  const { ownerUrl } = testDatabase();
  const before = await using(ownerUrl, readBase);
  await using(ownerUrl, (owner) => owner`vacuum full feed_marks`);
  expect(await migrate(ownerUrl)).toEqual({ isRestored: false });
  expect(await using(ownerUrl, readBase)).toEqual(before);
});
