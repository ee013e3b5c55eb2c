import { sql } from "drizzle-orm";
import type { SQL } from "drizzle-orm";

/**
 * Selects the rows that no rollup contains yet (`rollup.ts`). The checkpoint and the sums change in one transaction, so a
 * single statement that reads both is always exact. The fence (`offset 0`) makes the planner use the index of positions;
 * otherwise it might read all of the integrator's rows.
 */
export function toRecent(columns: SQL, table: SQL): SQL {
  return sql`(
    select integrator_id, ${columns} from ${table}
    where xid >= coalesce((select xid from rollup_checkpoints), '0'::xid8) offset 0
  )`;
}
