import { sql } from "drizzle-orm";
import { readEnv } from "#lib/env.ts";
import type { Env } from "#lib/env.ts";
import { openDatabase } from "#db/client.ts";
import type { Db } from "#db/client.ts";
import { startEmbedded } from "#db/embedded.ts";
import { databaseCode, isUnavailable } from "#db/failures.ts";
import { migrate } from "#db/migrate.ts";

/** The installation that a command works on. */
export interface Installation {
  db: Db;
  settings: Env;
}

/**
 * Runs work on the installation's database, also beside a running server. An embedded database that is not running is
 * started for as long as it takes, and brought up to date; one of the operator's own is never changed by a command.
 * @throws Error in one sentence when it cannot be reached, or no server has set it up yet.
 */
export async function withInstallation<T>(
  environment: Readonly<Record<string, string | undefined>>,
  work: (installation: Installation) => Promise<T>,
): Promise<T> {
  const settings = readEnv(environment);
  if (settings.databaseUrl) {
    return connect(settings, settings.databaseUrl, work);
  }
  const embedded = await startEmbedded(settings.dataDir);
  try {
    if (embedded.started) {
      await migrate(embedded.ownerUrl, embedded.appRole);
    }
    return await connect(settings, embedded.appUrl, work);
  } finally {
    if (embedded.started) {
      await embedded.stop();
    }
  }
}

async function connect<T>(
  settings: Env,
  url: string,
  work: (installation: Installation) => Promise<T>,
): Promise<T> {
  const opened = openDatabase(url, { max: 2 });
  try {
    await requireTables(opened.db);
    return await work({ db: opened.db, settings });
  } finally {
    await opened.close();
  }
}

async function requireTables(db: Db): Promise<void> {
  try {
    const [row] = await db.execute<{ name: string | null }>(
      sql`select to_regclass('public.processor_operations')::text as name`,
    );
    if (row?.name) {
      return;
    }
  } catch (error) {
    if (isUnavailable(error)) {
      throw new Error(`The database cannot be reached (${databaseCode(error)}).`, { cause: error });
    }
    throw error;
  }
  throw new Error("This database is not set up, or by an older version; start Floatdeck with it.");
}
