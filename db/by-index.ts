import { sql } from "drizzle-orm";

/**
 * Columns of a select, after which the rest of its transaction finds rows by index, whatever the statistics say. Where a
 * statement has no index to use, PostgreSQL before 18 takes the plan for very expensive, and would compile it (JIT), which
 * takes up to a second.
 */
export const BY_INDEX = sql`set_config('enable_seqscan', 'off', true), set_config('jit', 'off', true)`;
