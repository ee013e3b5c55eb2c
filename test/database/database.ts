import { randomBytes } from "node:crypto";
import postgres from "postgres";
import { expect, inject } from "vitest";
import { flushApiLog } from "#lib/api/edge/api-log.ts";
import { verifyBooks } from "#lib/ledger/verify.ts";
import { closeDatabase, configureDatabase, database } from "#db/client.ts";
import type { Db } from "#db/client.ts";
import { withTimeLimits } from "#db/time-limits.ts";
import { findRollupFaults } from "./rollup-faults.ts";

/** The copy of the template database that this test file uses. */
export interface TestDatabase {
  name: string;
  /** As the restricted role, like the server. */
  url: string;
  /** As the restricted role, past the PgBouncer that `url` may lead through (`TEST_PGBOUNCER`). */
  directUrl: string;
  /** As the role that owns the tables. */
  ownerUrl: string;
}

let current: TestDatabase | undefined;

/** Copies the template, and opens it as the process-wide database. */
export async function openTestDatabase(): Promise<void> {
  current = await createDatabase(inject("template"));
  configureDatabase(toLocal(current.url), { max: 40 });
}

/** After a test file, the books must balance, and the overview must agree with them. Closes and drops the copy. */
export async function closeTestDatabase(): Promise<void> {
  try {
    await flushApiLog();
    expect(await verifyBooks(testDatabase().db)).toEqual([]);
    expect(await findRollupFaults(testDatabase().db)).toEqual([]);
  } finally {
    await dropTestDatabase();
  }
}

/** Runs work with another database: migrated and empty like the template, or without any tables. */
export async function withDatabase<T>(
  content: "migrated" | "nothing",
  work: (created: TestDatabase) => Promise<T>,
): Promise<T> {
  const created = await createDatabase(content === "migrated" ? inject("template") : "template1");
  try {
    return await work(created);
  } finally {
    await dropDatabase(created.name);
  }
}

async function createDatabase(template: string): Promise<TestDatabase> {
  const name = `test_${randomBytes(8).toString("hex")}`;
  await asAdmin(async (admin) => {
    // The files are copied. By default, each block goes through the log, which takes nine times the processor time.
    await admin.unsafe(`create database ${name} template ${template} strategy file_copy`);
    // As a migration does. A copy has a new database's privileges.
    await admin.unsafe(`revoke temporary on database ${name} from public`);
  });
  const ownerUrl = new URL(inject("adminUrl"));
  ownerUrl.pathname = `/${name}`;
  const url = new URL(ownerUrl);
  const { name: role, password } = inject("appRole");
  url.username = role;
  url.password = password;
  const directUrl = url.href;
  url.port = inject("appPort");
  return { name, url: url.href, directUrl, ownerUrl: ownerUrl.href };
}

/** As the server connects to its embedded database. */
function toLocal(url: string): string {
  const local = new URL(url);
  if (inject("socket")) {
    local.searchParams.set("host", inject("socket"));
  }
  return local.href;
}

async function dropDatabase(name: string): Promise<void> {
  await asAdmin((admin) => admin.unsafe(`drop database ${name} with (force)`));
}

async function dropTestDatabase(): Promise<void> {
  const name = current?.name;
  current = undefined;
  // What a test has abandoned never ends by itself.
  await withTimeLimits({ poolClose: 500 }, closeDatabase);
  if (name) {
    await dropDatabase(name);
  }
}

/** The database of the running test file. */
export function testDatabase(): TestDatabase & { db: Db } {
  if (!current) {
    throw new Error("This test file has no database open.");
  }
  return { ...current, db: database() };
}

async function asAdmin(work: (admin: postgres.Sql) => Promise<unknown>): Promise<void> {
  const admin = postgres(inject("adminUrl"), { max: 1, onnotice: () => undefined });
  try {
    await work(admin);
  } finally {
    await admin.end();
  }
}
