import { sql } from "drizzle-orm";
import { DomainError } from "#lib/errors.ts";
import { isStopping } from "#lib/lifecycle.ts";
import { database } from "#db/client.ts";
import { inSnapshot } from "#db/transaction.ts";

const TIMEOUT_MS = 2_000;

/** @throws DomainError `database_unavailable` while the server stops, or when the database does not answer in time. */
export async function requireReady(): Promise<void> {
  if (isStopping()) {
    throw new DomainError("database_unavailable", "This server is stopping.");
  }
  const answered = inSnapshot(database(), (tx) => tx.execute(sql`select 1`)).then(
    () => true,
    () => false,
  );
  const { promise: expired, resolve } = Promise.withResolvers<boolean>();
  const timer = setTimeout(() => resolve(false), TIMEOUT_MS);
  const ready = await Promise.race([answered, expired]);
  clearTimeout(timer);
  if (!ready) {
    throw new DomainError("database_unavailable", "The database does not answer.");
  }
}
