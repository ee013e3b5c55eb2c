import { sql } from "drizzle-orm";

/**
 * Sets `synchronous_commit` to `on` for the transaction if it is `off` for the session, the role, or the database:
 * PostgreSQL would acknowledge a COMMIT that a crash then loses. Every other value is the operator's choice of what
 * COMMIT waits for beyond the disk of the primary, and stays. An item of a SELECT.
 */
export const WAIT_FOR_DISK = sql`
  set_config('synchronous_commit',
    coalesce(nullif(current_setting('synchronous_commit'), 'off'), 'on'), true)`;
