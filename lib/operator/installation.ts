import { eq, sql } from "drizzle-orm";
import type { Env } from "#lib/base/env.ts";
import { toSecretChecks } from "#lib/base/seal.ts";
import { requireSecrets } from "#lib/operator/installation-secrets.ts";
import { integrators } from "#db/schema/integrators.ts";
import { installation } from "#db/schema/staff.ts";
import { databaseCode } from "#db/failures.ts";
import { PAST_LOCK } from "#db/past.ts";
import type { Db } from "#db/client.ts";

const ROW = "installation";

export type Installation = typeof installation.$inferSelect;

/**
 * Requires that the database belongs to this process's environment, and that this process has the secrets that it was
 * sealed with; the first start determines both. Servers, workers, and commands call it before anything else.
 * @throws Error with one sentence for people.
 */
export async function requireSameInstallation(db: Db, settings: Env): Promise<Installation> {
  const row = await findOrCreate(db, settings).catch((error: unknown) => {
    throw MISSING.has(databaseCode(error) ?? "")
      ? new Error(
          "This database is not set up, or was set up by an older version; start a server of this version with it.",
          { cause: error },
        )
      : error;
  });
  requireSameEnvironment(row, settings);
  requireSecrets(row);
  return row;
}

/** undefined_table and undefined_column. */
const MISSING: ReadonlySet<string> = new Set(["42P01", "42703"]);

/** What the database stores about its installation; undefined before the first start. */
export async function findInstallation(db: Db): Promise<Installation | undefined> {
  const [row] = await db.select().from(installation).where(eq(installation.id, ROW));
  return row;
}

async function findOrCreate(db: Db, { environment }: Env): Promise<Installation> {
  const existing = await findInstallation(db);
  if (existing) {
    return existing;
  }
  // Integrators without this row predate it. "live" sorts first: one live integrator is enough.
  const derived = sql<
    Env["environment"]
  >`coalesce((select min(${integrators.environment}) from ${integrators}), ${environment})`;
  await db
    .insert(installation)
    .values({ id: ROW, environment: derived, secretCheck: toSecretChecks()[0] })
    .onConflictDoNothing();
  const made = await findInstallation(db);
  if (!made) {
    throw new Error("The installation row was removed while it was being created.");
  }
  return made;
}

/** @throws Error with one sentence when the database belongs to the other environment. */
export function requireSameEnvironment(
  { environment: kept }: Installation,
  { environment: configured }: Env,
): void {
  if (kept !== configured) {
    throw new Error(
      `This database belongs to a ${kept} installation, and FLOATDECK_ENV is ${configured}${configured === "sandbox" ? " (the default)" : ""}; set FLOATDECK_ENV=${kept}, or name another database.`,
    );
  }
}

/** Stores a server's public address for processes that are started without it. */
export async function keepPublicUrl(db: Db, { publicUrl }: Env): Promise<void> {
  await db
    .update(installation)
    .set({ publicUrl })
    .where(
      // Not while the demo is being made: it may have a past because nobody serves this database yet.
      sql`${installation.id} = ${ROW} and (select pg_advisory_xact_lock_shared(${PAST_LOCK})::text) is not null`,
    );
}
