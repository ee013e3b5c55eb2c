import { existsSync } from "node:fs";
import path from "node:path";
import type { Sql } from "postgres";
import { connect } from "#db/connect.ts";
import type { Env } from "#lib/base/env.ts";
import { openDatabase } from "#db/client.ts";
import type { Db } from "#db/client.ts";
import { requireUsableConnection } from "#db/direct-connection.ts";
import { startEmbedded } from "#db/embedded.ts";
import { timeLimit } from "#db/time-limits.ts";

/** How the checks reach the database. */
export interface DatabaseAccess {
  /** As the server's role. */
  db: Db;
  url: string;
  /** Connects as the role that owns the tables; undefined when DATABASE_MIGRATION_URL is not set. */
  ownerUrl: string | undefined;
  settings: Env;
  close(): Promise<void>;
}

/**
 * Connects to the installation's database, and creates nothing. The embedded one is started if it is not running, and
 * stopped again on `close`.
 * @returns undefined when the embedded database has not been created yet.
 * @throws Error when the database cannot be reached.
 */
export async function openAccess(settings: Env): Promise<DatabaseAccess | undefined> {
  const { databaseUrl, databaseMigrationUrl, dataDir } = settings;
  if (databaseUrl) {
    await requireUsableConnection(databaseUrl, "DATABASE_URL");
    return open(settings, { url: databaseUrl, ownerUrl: databaseMigrationUrl });
  }
  if (!existsSync(path.join(dataDir, "database.json"))) {
    return undefined;
  }
  const embedded = await startEmbedded(dataDir);
  const access = open(settings, { url: embedded.localUrl, ownerUrl: embedded.ownerUrl });
  return {
    ...access,
    close: async () => {
      await access.close();
      await (embedded.started ? embedded.stop() : undefined);
    },
  };
}

function open(
  settings: Env,
  { url, ownerUrl }: { url: string; ownerUrl: string | undefined },
): DatabaseAccess {
  const opened = openDatabase(url, { max: 1, settings: { application_name: "floatdeck doctor" } });
  return { db: opened.db, url, ownerUrl, settings, close: () => opened.close() };
}

/** Runs work on a connection of the role that owns the tables. */
export async function asOwner<T>(ownerUrl: string, work: (client: Sql) => Promise<T>): Promise<T> {
  const client = connect(ownerUrl, {
    max: 1,
    connect_timeout: timeLimit("connectOnce") / 1_000,
    onnotice: () => undefined,
    connection: { application_name: "floatdeck doctor", statement_timeout: timeLimit("statement") },
  });
  try {
    return await work(client);
  } finally {
    await client.end({ timeout: 1 });
  }
}
