import { sql } from "drizzle-orm";
import { DomainError } from "#lib/base/errors.ts";
import { isStopping } from "#lib/base/lifecycle.ts";
import { control } from "#db/client.ts";
import { DatabaseFailure } from "#db/failures.ts";
import { timeLimit } from "#db/time-limits.ts";

/**
 * @throws DomainError `database_unavailable` while the server stops. DatabaseFailure `database_unavailable` when the
 *   database does not answer in time or does not accept changes.
 */
export async function requireReady(): Promise<void> {
  if (isStopping()) {
    throw new DomainError("database_unavailable", "This server is stopping.");
  }
  const { promise: expired, resolve: expire } = Promise.withResolvers<DatabaseFailure>();
  const timer = setTimeout(
    () => expire(new DatabaseFailure("database_unavailable", "The database does not answer.")),
    timeLimit("readiness"),
  );
  const refusal = await Promise.race([findRefusal(), expired]);
  clearTimeout(timer);
  if (refusal !== null) {
    throw refusal;
  }
}

let areChangesStopped = false;

/** A sentence while the operator has stopped all changes, as the last check of readiness saw it: the server is ready to read. */
export function toReadOnlyWarning(): string | null {
  return areChangesStopped
    ? 'All changes are stopped. Run "floatdeck read-only off" to allow them.'
    : null;
}

let pending: Promise<DatabaseFailure | null> | undefined;

/**
 * Why the database would refuse changes; null when it would accept them. Concurrent callers share the answer,
 * so that load balancers cannot queue up checks.
 */
function findRefusal(): Promise<DatabaseFailure | null> {
  pending ??= askDatabase().finally(() => {
    pending = undefined;
  });
  return pending;
}

async function askDatabase(): Promise<DatabaseFailure | null> {
  try {
    const [row] = await control().execute<{
      recovering: boolean;
      readonly: string;
      stopped: boolean;
    }>(sql`
      select pg_is_in_recovery() as recovering, current_setting('transaction_read_only') as readonly,
        exists (select from installation where read_only_since is not null) as stopped`);
    areChangesStopped = row?.stopped ?? false;
    if (row?.recovering) {
      return new DatabaseFailure("database_unavailable", "The database is a standby in recovery.");
    }
    return row?.readonly === "on"
      ? new DatabaseFailure("database_unavailable", "The database is read-only.")
      : null;
  } catch (error) {
    return new DatabaseFailure(
      "database_unavailable",
      "The database does not answer, or none of the reachable servers is a primary.",
      error,
    );
  }
}
