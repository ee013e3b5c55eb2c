import type { Sql } from "postgres";

/**
 * From now on the cluster keeps its WAL, whatever other databases write and however many checkpoints pass, until this
 * connection ends. Returns the position of now. Needs a superuser on a single connection.
 */
export async function keepWal(sql: Sql): Promise<string> {
  const [row] = await sql<{ at: string }[]>`
    select pg_current_wal_insert_lsn()::text as at
    from pg_create_physical_replication_slot(
      slot_name => 'kept_' || pg_backend_pid(), immediately_reserve => true, temporary => true)`;
  return row?.at ?? "";
}
