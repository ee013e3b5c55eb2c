import { existsSync } from "node:fs";
import path from "node:path";
import { sql } from "drizzle-orm";
import { toSecretChecks } from "#lib/base/seal.ts";
import { findInstallation, requireSameIdentity } from "#lib/operator/installation.ts";
import { requireSecrets, toFingerprint, toNeeded } from "#lib/operator/installation-secrets.ts";
import type { Installation } from "#lib/operator/installation.ts";
import { canMatch, listUnmatched } from "#lib/processor/unmatched.ts";
import { listBadPortEndpoints } from "#lib/operator/bad-port-endpoints.ts";
import { countServers, countWorkers } from "#lib/operator/processes.ts";
import { describeStop } from "#lib/operator/read-only.ts";
import { listStopped } from "#lib/operator/suspension.ts";
import { openSamples } from "#lib/operator/sealed-samples.ts";
import { databaseCode } from "#db/failures.ts";
import { setSecret } from "../secret.ts";
import type { DatabaseAccess } from "./database-access.ts";
import { ok, problem, skipped, toSentence, warning } from "./finding.ts";
import type { Finding } from "./finding.ts";

/** The checks of what the database stores about its installation. */

const NOT_STARTED = "no server has started on this database yet.";

/** Why there is no installation to read, by PostgreSQL's code for a missing table and a missing column. */
const ABSENT: Readonly<Record<string, string>> = {
  "42P01": NOT_STARTED,
  "42703": "this release reads what a migration that is not applied yet adds.",
};

export async function checkEnvironment({ db, settings }: DatabaseAccess): Promise<Finding> {
  return withInstallation(db, async (kept) => {
    try {
      requireSameIdentity(kept, settings);
    } catch (error) {
      return problem(toSentence(error), "Set that, or correct DATABASE_URL.");
    }
    return ok(`The database belongs to a ${kept.environment} installation, cell ${kept.cell}.`);
  });
}

/** Checks that neither the whole installation nor an integrator is stopped from making changes. */
export async function checkStops({ db }: DatabaseAccess): Promise<Finding> {
  return withInstallation(db, async ({ readOnlySince, readOnlyBy }) => {
    if (readOnlySince) {
      return warning(
        describeStop({ at: readOnlySince, by: readOnlyBy }),
        'Once what needed it is over, run "floatdeck read-only off".',
      );
    }
    const stopped = await listStopped(db);
    return stopped.length === 0
      ? ok("Changes are allowed.")
      : warning(
          `Integrators that are stopped: ${stopped.join(", ")}.`,
          'Run "floatdeck integrator start <id>" to let one change things again.',
        );
  });
}

/** Checks that some process sends webhooks and mail, if a server runs. */
export async function checkProcesses({ db }: DatabaseAccess): Promise<Finding> {
  return withInstallation(db, async () => {
    const [running] = await db.execute<{ servers: number; workers: number }>(
      sql`select ${countServers()} as servers, ${countWorkers()} as workers`,
    );
    const { servers = 0, workers = 0 } = running ?? {};
    const detail = `Running: ${count(servers, "server")} and ${count(workers, "worker")}.`;
    return servers > 0 && workers === 0
      ? problem(
          `${detail} Webhooks and mail wait.`,
          'Start a worker with "npm run worker", or restart a server without WORKER=off.',
        )
      : ok(detail);
  });
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? "" : "s"}`;
}

/** Checks that everything that the card network has reported is in the books. */
export async function checkUnmatched({ db }: DatabaseAccess): Promise<Finding> {
  return withInstallation(db, async () => {
    const clearings = await listUnmatched(db);
    const waiting = clearings.filter(({ operation, reason }) => canMatch(operation, reason)).length;
    return clearings.length === 0
      ? ok("Everything that the card network reported is in the books.")
      : warning(
          `Reports of the card network that are not in the books: ${waiting} wait to be matched to a card, ${clearings.length - waiting} were refused for good.`,
          'Run "floatdeck unmatched".',
        );
  });
}

/** Checks that no webhook endpoint uses a port that is no longer allowed. */
export async function checkEndpoints({ db }: DatabaseAccess): Promise<Finding> {
  return withInstallation(db, async () => {
    const endpoints = await listBadPortEndpoints(db);
    const named = endpoints.map(
      ({ integratorId, url, isInUse }) =>
        `${new URL(url).host} of ${integratorId}${isInUse ? "" : ", which is not sent to"}`,
    );
    return named.length === 0
      ? ok("No webhook endpoint is on a port of another protocol.")
      : warning(
          `Webhook endpoints on a port of another protocol: ${named.join("; ")}.`,
          "Ask these integrators to move them: such a port is refused for a new endpoint.",
        );
  });
}

/** Checks that FLOATDECK_SECRET lists and opens what is needed, and tells whether older secrets can be removed. */
export async function checkSecret({ db, settings }: DatabaseAccess): Promise<Finding> {
  return withInstallation(db, async (kept) => {
    const file = path.join(settings.dataDir, "secret");
    const action = `Restore the secret from your backup: FLOATDECK_SECRET, or without it ${file}.`;
    if (settings.secrets.length === 0 && !existsSync(file)) {
      return problem(`FLOATDECK_SECRET is not set, and ${file} does not exist.`, action);
    }
    setSecret(settings);
    try {
      requireSecrets(kept);
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
    const sentence =
      opened > 0
        ? `FLOATDECK_SECRET opens the ${opened} newest sealed values.`
        : "FLOATDECK_SECRET is the installation's. Nothing is sealed with it yet.";
    return judgeSecrets(sentence, { listed: toSecretChecks(), needed: toNeeded(kept) });
  });
}

/**
 * Says which of several secrets are in use.
 * @param sentence what else is known about them.
 * @param checks `listed`: the checks of the secrets, in the order of the list. `needed`: those in use.
 */
export function judgeSecrets(
  sentence: string,
  { listed, needed }: { listed: readonly string[]; needed: readonly string[] },
): Finding {
  if (listed.length === 1) {
    return ok(sentence);
  }
  const described = listed.map((check, place) => {
    const use = needed.includes(check) ? "in use" : "not in use";
    return `secret ${place + 1} (fingerprint ${toFingerprint(check)}) is ${use}`;
  });
  const detail = `${sentence} Of those listed, ${described.join(", ")}.`;
  return needed.length > 1
    ? warning(
        detail,
        'The rotation is not finished: once every process seals with the new secret, run "npm run floatdeck -- secret rotate".',
      )
    : ok(detail);
}

/** Skips a check before the first start, and before an upgrade. */
export async function withInstallation(
  db: DatabaseAccess["db"],
  check: (kept: Installation) => Promise<Finding>,
): Promise<Finding> {
  try {
    const kept = await findInstallation(db);
    return kept ? await check(kept) : skipped(NOT_STARTED);
  } catch (error) {
    const reason = ABSENT[databaseCode(error) ?? ""];
    if (reason === undefined) {
      throw error;
    }
    return skipped(reason);
  }
}
