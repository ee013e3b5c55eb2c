import { sql } from "drizzle-orm";
import { BY_INDEX } from "#db/by-index.ts";
import type { ReadContext } from "#lib/base/context.ts";

/**
 * Makes the planner use indexes until the read ends. Use it for reads in which an index serves every statement, because
 * the planner does not know that without statistics. Send it first.
 */
export async function planByIndex({ db }: ReadContext): Promise<void> {
  await db.execute(sql`select ${BY_INDEX}`);
}
