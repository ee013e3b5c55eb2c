import { sql } from "drizzle-orm";

/**
 * Items for a SELECT that make the rest of its transaction find rows by index, whatever the statistics say. JIT is
 * off too: when a statement has no index to use, PostgreSQL before 18 considers its plan very expensive and would
 * compile it, which takes up to a second.
 */
export const BY_INDEX = sql`set_config('enable_seqscan', 'off', true), set_config('jit', 'off', true)`;
