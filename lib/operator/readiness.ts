import { sql } from "drizzle-orm";
import { DomainError } from "#lib/base/errors.ts";
import { isStopping } from "#lib/base/lifecycle.ts";
import { control } from "#db/client.ts";
import { DatabaseFailure } from "#db/failures.ts";
import { timeLimit } from "#db/time-limits.ts";

/** Whether the operator has stopped all changes: the server is ready then, too, to read. */
export interface Readiness {
  isReadOnly: boolean;
}

/**
 * @throws DomainError `database_unavailable` while the server stops. DatabaseFailure `database_unavailable` when the
 *   database does not answer in time or does not accept changes.
 */
export async function requireReady(): Promise<Readiness> {
  if (isStopping()) {
    throw new DomainError("database_unavailable", "This server is stopping.");
  }
  const { promise: expired, resolve: expire } = Promise.withResolvers<DatabaseFailure>();
  const timer = setTimeout(
    () => expire(new DatabaseFailure("database_unavailable", "The database does not answer.")),
    timeLimit("readiness"),
  );
  const found = await Promise.race([checkReadiness(), expired]);
  clearTimeout(timer);
  if (found instanceof DatabaseFailure) {
    throw found;
  }
  return found;
}

let pending: Promise<Readiness | DatabaseFailure> | undefined;

/**
 * The readiness, or why the database would refuse changes. Concurrent callers share the answer,
 * so that load balancers cannot queue up checks.
 */
function checkReadiness(): Promise<Readiness | DatabaseFailure> {
  pending ??= askDatabase().finally(() => {
    pending = undefined;
  });
  return pending;
}

async function askDatabase(): Promise<Readiness | DatabaseFailure> {
  try {
    const [row] = await control().execute<{
      recovering: boolean;
      readonly: string;
      stopped: boolean;
    }>(sql`
      select pg_is_in_recovery() as recovering, current_setting('transaction_read_only') as readonly,
        exists (select from installation where read_only_since is not null) as stopped`);
    if (row?.recovering) {
      return new DatabaseFailure("database_unavailable", "The database is a standby in recovery.");
    }
    return row?.readonly === "on"
      ? new DatabaseFailure("database_unavailable", "The database is read-only.")
      : { isReadOnly: row?.stopped ?? false };
  } catch (error) {
    return new DatabaseFailure(
      "database_unavailable",
      "The database does not answer, or none of the reachable servers is a primary.",
      error,
    );
  }
}
