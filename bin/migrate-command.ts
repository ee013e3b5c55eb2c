import { readEnv } from "#lib/base/env.ts";
import type { Command, Result } from "./command.ts";
import type { Environment } from "./installation.ts";
import { prepareOwnDatabase, RESTORED } from "./own-database.ts";

/** The command that migrates, so that no server needs to know the role that owns the tables. */
export const MIGRATE: Command = {
  words: ["migrate"],
  summary: "Create or upgrade the tables, as the role of DATABASE_MIGRATION_URL",
  options: {},
  run: migrate,
};

async function migrate(environment: Environment): Promise<Result> {
  const { databaseUrl, databaseMigrationUrl } = readEnv(environment);
  if (!databaseUrl) {
    throw new Error(
      "DATABASE_URL must be set: a server migrates its embedded PostgreSQL by itself.",
    );
  }
  const { isRestored } = await prepareOwnDatabase({ databaseUrl, databaseMigrationUrl }, report);
  const text = ["The tables are up to date.", ...(isRestored ? [RESTORED] : [])].join("\n");
  return { text, json: { restored: isRestored } };
}

/** Reports progress on standard error, because standard output is for the result. */
function report(sentence: string): void {
  process.stderr.write(`floatdeck: ${sentence}\n`);
}
