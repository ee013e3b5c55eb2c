import { existsSync } from "node:fs";
import path from "node:path";
import {
  findInstallation,
  requireSameEnvironment,
  requireSameSecret,
} from "#lib/operator/installation.ts";
import type { Installation } from "#lib/operator/installation.ts";
import { openSamples } from "#lib/operator/sealed-samples.ts";
import { databaseCode } from "#db/failures.ts";
import { setSecret } from "../secret.ts";
import type { DatabaseAccess } from "./database-access.ts";
import { ok, problem, skipped, toSentence } from "./finding.ts";
import type { Finding } from "./finding.ts";

/** The checks of what the database stores about its installation. */

const UNDEFINED_TABLE = "42P01";

export async function checkEnvironment({ db, settings }: DatabaseAccess): Promise<Finding> {
  return withInstallation(db, async (kept) => {
    try {
      requireSameEnvironment(kept, settings);
    } catch (error) {
      return problem(toSentence(error), "Set FLOATDECK_ENV, or correct DATABASE_URL.");
    }
    return ok(`The database belongs to a ${kept.environment} installation.`);
  });
}

/** Checks that FLOATDECK_SECRET is the installation's, and that it opens what is sealed with it. */
export async function checkSecret({ db, settings }: DatabaseAccess): Promise<Finding> {
  return withInstallation(db, async (kept) => {
    const file = path.join(settings.dataDir, "secret");
    const action = `Restore the secret from your backup: FLOATDECK_SECRET, or without it ${file}.`;
    if (settings.secret === undefined && !existsSync(file)) {
      return problem(`FLOATDECK_SECRET is not set, and ${file} does not exist.`, action);
    }
    setSecret(settings.dataDir);
    try {
      requireSameSecret(kept);
    } catch (error) {
      return problem(toSentence(error), action);
    }
    const { opened, refused } = await openSamples(db);
    if (refused > 0) {
      return problem(
        `FLOATDECK_SECRET is the installation's, but ${refused} of the ${opened + refused} newest sealed values do not open.`,
        "Restore these rows from a backup: they were sealed with another secret, or changed.",
      );
    }
    return ok(
      opened > 0
        ? `FLOATDECK_SECRET opens the ${opened} newest sealed values.`
        : "FLOATDECK_SECRET is the installation's. Nothing is sealed with it yet.",
    );
  });
}

async function withInstallation(
  db: DatabaseAccess["db"],
  check: (kept: Installation) => Promise<Finding>,
): Promise<Finding> {
  const kept = await findInstallation(db).catch((error: unknown) => {
    if (databaseCode(error) === UNDEFINED_TABLE) {
      return undefined;
    }
    throw error;
  });
  return kept ? check(kept) : skipped("no server has started on this database yet.");
}
