import { sql } from "drizzle-orm";

/**
 * Sets `synchronous_commit` to `on` for the transaction if the session, the role, or the database has it `off`: a
 * crash could then lose a COMMIT that PostgreSQL has acknowledged. Every other value stays, because it is the
 * operator's choice of what COMMIT waits for beyond the primary's disk. Use it as an item of a SELECT.
 */
export const WAIT_FOR_DISK = sql`
  set_config('synchronous_commit',
    coalesce(nullif(current_setting('synchronous_commit'), 'off'), 'on'), true)`;
