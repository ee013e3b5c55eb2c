import { eq, sql } from "drizzle-orm";
import { applyStoredTolerance } from "#lib/base/env.ts";
import type { Env } from "#lib/base/env.ts";
import { toSecretCheck } from "#lib/base/seal.ts";
import { integrators } from "#db/schema/integrators.ts";
import { installation } from "#db/schema/staff.ts";
import { databaseCode } from "#db/failures.ts";
import type { Db } from "#db/client.ts";

const ROW = "installation";

type Installation = typeof installation.$inferSelect;

/**
 * Requires that the database belongs to the environment of this process and was sealed with its secret; the first start
 * decides both. For servers, workers and commands alike, before they do anything else.
 * @throws Error in one sentence for people.
 */
export async function requireSameInstallation(db: Db, settings: Env): Promise<Installation> {
  const row = await findOrMake(db, settings).catch((error: unknown) => {
    throw MISSING.has(databaseCode(error) ?? "")
      ? new Error(
          "This database is not set up, or by an older version; start a server of this version with it.",
          { cause: error },
        )
      : error;
  });
  requireSameEnvironment(row.environment, settings.environment);
  if (row.secretCheck !== toSecretCheck()) {
    throw new Error(
      "FLOATDECK_SECRET is not the one that this database was set up with: second factors and sessions could not be read. Start with the first one.",
    );
  }
  return row;
}

/** undefined_table and undefined_column. */
const MISSING: ReadonlySet<string> = new Set(["42P01", "42703"]);

async function findOrMake(db: Db, { environment }: Env): Promise<Installation> {
  const find = () => db.select().from(installation).where(eq(installation.id, ROW));
  const [existing] = await find();
  if (existing) {
    return existing;
  }
  // Integrators without the row come from before it was kept. "live" sorts first: one live integrator is enough.
  const derived = sql<
    Env["environment"]
  >`coalesce((select min(${integrators.environment}) from ${integrators}), ${environment})`;
  await db
    .insert(installation)
    .values({ id: ROW, environment: derived, secretCheck: toSecretCheck() })
    .onConflictDoNothing();
  const [made] = await find();
  if (!made) {
    throw new Error("The row of the installation was removed while it was made.");
  }
  return made;
}

function requireSameEnvironment(kept: Env["environment"], wanted: Env["environment"]): void {
  if (kept !== wanted) {
    throw new Error(
      `This database belongs to a ${kept} installation, and FLOATDECK_ENV is ${wanted}${wanted === "sandbox" ? " (the default)" : ""}; set FLOATDECK_ENV=${kept}, or name another database.`,
    );
  }
}

/**
 * Keeps what a server was started with for the processes that are started without it, and uses the kept tolerance where
 * this server was given none: all servers of an installation judge captures alike.
 */
export async function keepSettings(db: Db, { publicUrl, given }: Env): Promise<void> {
  const { captureTolerancePercent } = given;
  const [row] = await db
    .update(installation)
    .set({ publicUrl, ...(captureTolerancePercent === null ? {} : { captureTolerancePercent }) })
    .where(eq(installation.id, ROW))
    .returning({ kept: installation.captureTolerancePercent });
  applyStoredTolerance(row?.kept ?? null);
}
