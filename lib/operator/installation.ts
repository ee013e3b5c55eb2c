import { eq, sql } from "drizzle-orm";
import { FIRST_CELL } from "#lib/base/env.ts";
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
 * Requires that the database belongs to this process's environment and cell, and that this process has the secrets that it was
 * sealed with; the first start determines all of them. Servers, workers, and commands call it before anything else.
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
  requireSameIdentity(row, settings);
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

async function findOrCreate(db: Db, { environment, cell }: Env): Promise<Installation> {
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
    .values({ id: ROW, environment: derived, cell, secretCheck: toSecretChecks()[0] })
    .onConflictDoNothing();
  const made = await findInstallation(db);
  if (!made) {
    throw new Error("The installation row was removed while it was being created.");
  }
  return made;
}

/** @throws Error with one sentence when the database belongs to the other environment, or to another cell. */
export function requireSameIdentity(kept: Installation, settings: Env): void {
  for (const { variable, member, byDefault, toOwner } of IDENTITY) {
    const [stored, configured] = [kept[member], settings[member]];
    if (stored !== configured) {
      throw new Error(
        `This database belongs to ${toOwner(stored)}, and ${variable} is ${configured}${configured === byDefault ? " (the default)" : ""}; set ${variable}=${stored}, or name another database.`,
      );
    }
  }
}

/** The settings that an installation keeps from its first start on. */
const IDENTITY = [
  {
    variable: "FLOATDECK_ENV",
    member: "environment",
    byDefault: "sandbox",
    toOwner: (kept: unknown) => `a ${String(kept)} installation`,
  },
  {
    variable: "FLOATDECK_CELL",
    member: "cell",
    byDefault: FIRST_CELL,
    toOwner: (kept: unknown) => `cell ${String(kept)}`,
  },
] as const;

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
