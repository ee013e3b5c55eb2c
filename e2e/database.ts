import { readFileSync } from "node:fs";
import path from "node:path";
import postgres from "postgres";

/** Ends a statement as PostgreSQL does when its time is over, without the time. */
const CANCEL = `create function cancel() returns boolean language plpgsql as
  $$ begin raise exception 'canceling statement' using errcode = 'query_canceled'; end $$`;

/**
 * The database cancels every read of an integrator's rows in a table of the server under test while `work` runs. Other
 * integrators notice nothing.
 */
export async function whileCanceled(
  table: string,
  integratorId: string,
  work: () => Promise<void>,
): Promise<void> {
  const owner = postgres(readOwnerUrl(), { max: 1, onnotice: () => undefined });
  const isOthers = `integrator_id <> '${integratorId}' or cancel()`;
  try {
    await owner.unsafe(CANCEL);
    await owner.unsafe(`create policy canceled on ${table} using (${isOthers})`);
    await owner.unsafe(`alter table ${table} enable row level security`);
    await work();
  } finally {
    await owner.unsafe(`alter table ${table} disable row level security`);
    await owner.unsafe(`drop policy if exists canceled on ${table}`);
    await owner.unsafe("drop function if exists cancel");
    await owner.end();
  }
}

/** How far ahead a suspension is dated: a full check, such as a server's first, lifts suspensions older than itself. */
const AHEAD_MS = 3_600_000;

/** The integrator's funds are suspended while `work` runs, as when a check of its books finds a discrepancy. */
export async function whileSuspended(
  integratorId: string,
  work: () => Promise<void>,
): Promise<void> {
  const owner = postgres(readOwnerUrl(), { max: 1 });
  const set = (at: Date | null) =>
    owner`update integrators set books_unbalanced_at = ${at} where id = ${integratorId}`;
  try {
    await set(new Date(Date.now() + AHEAD_MS));
    await work();
  } finally {
    await set(null);
    await owner.end();
  }
}

/** A table of the server with this data directory is not found while `work` runs: every read of it fails. */
export async function whileRenamed(
  table: string,
  dataDir: string,
  work: () => Promise<void>,
): Promise<void> {
  const owner = postgres(readOwnerUrl(dataDir), { max: 1 });
  try {
    await owner.unsafe(`alter table ${table} rename to ${table}_elsewhere`);
    await work();
  } finally {
    await owner.unsafe(`alter table ${table}_elsewhere rename to ${table}`);
    await owner.end();
  }
}

function readOwnerUrl(dataDir = process.env["E2E_DATA_DIR"] ?? ""): string {
  const { ownerPassword }: { ownerPassword: string } = JSON.parse(
    readFileSync(path.join(dataDir, "database.json"), "utf8"),
  );
  const [, , , port] = readFileSync(path.join(dataDir, "postgres/postmaster.pid"), "utf8").split(
    "\n",
  );
  return `postgres://floatdeck_owner:${ownerPassword}@127.0.0.1:${port}/floatdeck`;
}
