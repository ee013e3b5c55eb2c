import type { Sql } from "postgres";

/**
 * Makes the API log a partitioned table, with its rows in the first partition; does nothing once it is one. Others read
 * and write meanwhile, also with an older version: no lock that keeps them out outlives a few milliseconds. After an
 * interruption, simply call it again.
 * @param client connects as the role that owns the tables.
 */
export async function partitionApiLog(client: Sql): Promise<void> {
  if (await isPartitioned(client)) {
    return;
  }
  try {
    await client`select bound_api_log()`;
    await client`alter table api_log validate constraint api_log_bound`;
    await client`select partition_api_log()`;
  } catch (error) {
    // Another server that starts at the same time may have done it meanwhile.
    if (!(await isPartitioned(client))) {
      throw error;
    }
  }
}

/**
 * Looks the table up by name: a prepared statement may remember the id of the table that the partitioned one
 * replaced.
 */
async function isPartitioned(client: Sql): Promise<boolean> {
  const [table] = await client<{ kind: string }[]>`
    select relkind as kind from pg_class
    where relname = 'api_log' and relnamespace = 'public'::regnamespace`;
  return table?.kind === "p";
}
