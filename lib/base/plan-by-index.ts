import { sql } from "drizzle-orm";
import { BY_INDEX } from "#db/by-index.ts";
import type { ReadContext } from "#lib/base/context.ts";

/**
 * For reads whose every statement finds its rows by index: without statistics the planner would not know. Lasts as long as
 * the read; send it first.
 */
export async function planByIndex({ db }: ReadContext): Promise<void> {
  await db.execute(sql`select ${BY_INDEX}`);
}
