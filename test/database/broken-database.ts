import { sql } from "drizzle-orm";
import postgres from "postgres";
import { expect } from "vitest";
import { testDatabase } from "./database.ts";
import { FILL_DISK } from "./full-disk.ts";
import { withTimeLimits } from "#db/time-limits.ts";

/** Faults of the test's database: its owner causes them and removes them again. */

/** One column of each table that an operation reads first. */
const COLUMNS = [
  ["api_keys", "hash"],
  ["staff_sessions", "token_hash"],
  ["staff_links", "token_hash"],
  ["staff", "password_hash"],
  ["integrators", "registration_number"],
] as const;

function hidden(name: string): string {
  return `hidden_${name}`;
}

/** Runs work while the first table that each operation reads lacks a column. */
export async function withoutColumns(work: () => Promise<void>): Promise<void> {
  const owner = connect();
  const rename = async (from: (name: string) => string, to: (name: string) => string) => {
    for (const [table, column] of COLUMNS) {
      await owner.unsafe(`alter table ${table} rename column ${from(column)} to ${to(column)}`);
    }
  };
  await rename(String, hidden);
  await work().finally(() => rename(hidden, String).finally(() => owner.end()));
}

/** Nobody gets a connection, so no machine is too slow for these. */
const AWAY = { begin: 500, read: 500, readiness: 500, connect: 500 } as const;

/** Runs work while the database refuses connections, and waits for it for a moment only. */
export async function whileAway(work: () => Promise<void>): Promise<void> {
  const { name, ownerUrl } = testDatabase();
  const admin = new URL(ownerUrl);
  admin.pathname = "/postgres";
  const owner = postgres(admin.href, { max: 1, onnotice: () => undefined });
  const admit = (connections: number) =>
    owner.unsafe(`alter database ${name} with connection limit ${connections}`);
  await admit(0);
  await owner`select pg_terminate_backend(pid) from pg_stat_activity where datname = ${name}`;
  await withTimeLimits(AWAY, work).finally(() => admit(-1).finally(() => owner.end()));
  await expect.poll(isBack, { timeout: 20_000 }).toBe(true);
}

/** Whether every connection of the pool works again. */
async function isBack(): Promise<boolean> {
  const { db } = testDatabase();
  const tried = await Promise.allSettled(
    Array.from({ length: 50 }, () => db.execute(sql`select 1`)),
  );
  return tried.every(({ status }) => status === "fulfilled");
}

/** A trigger on each table of ours. */
const FILL_TABLES = `
  do $$
    declare place regclass;
    begin
      for place in select oid from pg_class
        where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition
      loop
        execute format('create trigger disk_is_full before insert or update or delete on %s execute function fill_disk()', place);
      end loop;
    end $$`;

/** Runs work while the database has no room for any change. */
export async function whileFull(work: () => Promise<void>): Promise<void> {
  const owner = connect();
  await owner.unsafe(`${FILL_DISK}; ${FILL_TABLES}`);
  await work().finally(() =>
    owner.unsafe("drop function fill_disk cascade").finally(() => owner.end()),
  );
}

/** Runs work while another process holds the locks of these keys and references. */
export async function whileLocked(
  names: readonly string[],
  work: () => Promise<void>,
): Promise<void> {
  const other = connect();
  await other`select pg_advisory_lock(hashtextextended(name, 0)) from unnest(${names}::text[]) as name`;
  await withTimeLimits({ repeat: 200 }, work).finally(() => other.end());
}

function connect() {
  return postgres(testDatabase().ownerUrl, { max: 1, onnotice: () => undefined });
}
