import { setSecret } from "./secret.ts";
import { readEnv } from "#lib/base/env.ts";
import type { Env } from "#lib/base/env.ts";
import { requireSameInstallation } from "#lib/operator/installation.ts";
import { joinInstallation } from "#lib/operator/processes.ts";
import { openDatabase } from "#db/client.ts";
import type { Db } from "#db/client.ts";
import { readRole } from "#db/connect.ts";
import { requireUsableConnection } from "#db/direct-connection.ts";
import { startEmbedded } from "#db/embedded.ts";
import { databaseCode, isUnavailable } from "#db/failures.ts";
import { migrate } from "#db/migrate.ts";

/** The environment variables that identify an installation, as for the server. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** The installation that a command works on. */
export interface Installation {
  db: Db;
  settings: Env;
}

/** How to connect to an installation's database. */
export interface InstallationDatabase {
  /** As the server's role. */
  appUrl: string;
  /** As the role that owns the tables. */
  ownerUrl: string;
  /** The server's role, unless it is the owner. */
  appRole?: { name: string; password?: string };
}

/**
 * Runs work on the installation's database, even next to a running server. If the embedded database is not running, it
 * is migrated and runs only during the work. A command never migrates an external database.
 * @throws Error with one sentence when the database cannot be reached, belongs to another environment, or is
 * not set up yet.
 */
export async function withInstallation<T>(
  environment: Environment,
  work: (installation: Installation) => Promise<T>,
): Promise<T> {
  const settings = readEnv(environment);
  return withDatabase(settings, (database) => withInstallationAt(database, settings, work));
}

/** Like `withInstallation`, for work that opens its own connections. */
export async function withDatabase<T>(
  settings: Env,
  work: (database: InstallationDatabase) => Promise<T>,
): Promise<T> {
  const { databaseUrl, databaseMigrationUrl } = settings;
  if (databaseUrl) {
    const role = { name: readRole(databaseUrl) };
    return databaseMigrationUrl
      ? work({ appUrl: databaseUrl, ownerUrl: databaseMigrationUrl, appRole: role })
      : work({ appUrl: databaseUrl, ownerUrl: databaseUrl });
  }
  const embedded = await startEmbedded(settings.dataDir);
  setSecret(settings);
  try {
    if (embedded.started) {
      await migrate(embedded.ownerUrl, embedded.appRole);
    }
    return await work(embedded);
  } finally {
    if (embedded.started) {
      await embedded.stop();
    }
  }
}

/** Connects to a database of `withDatabase`, and runs work on the installation there. */
export async function withInstallationAt<T>(
  { appUrl }: InstallationDatabase,
  settings: Env,
  work: (installation: Installation) => Promise<T>,
): Promise<T> {
  const opened = openDatabase(appUrl, { max: 2 });
  try {
    const kept = await requireOurs(opened.db, settings).catch((error: unknown) => {
      throw isUnavailable(error)
        ? new Error(`The database cannot be reached (${databaseCode(error)}).`, { cause: error })
        : error;
    });
    const publicUrl = settings.given.publicUrl ?? kept.publicUrl ?? settings.publicUrl;
    const joined = await joinInstallation(opened.db, "command");
    try {
      return await work({ db: opened.db, settings: { ...settings, publicUrl } });
    } finally {
      await joined.leave();
    }
  } finally {
    await opened.close();
  }
}

async function requireOurs(db: Db, settings: Env): Promise<{ publicUrl: string | null }> {
  if (settings.databaseUrl) {
    await requireUsableConnection(settings.databaseUrl, "DATABASE_URL");
  }
  return requireSameInstallation(db, settings);
}
