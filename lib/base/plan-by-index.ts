import { sql } from "drizzle-orm";
import type { ReadContext } from "#lib/base/context.ts";

/**
 * For reads whose every statement finds its rows by index: without statistics the planner would not know. Lasts as long as
 * the read; send it first.
 */
export async function planByIndex({ db }: ReadContext): Promise<void> {
  await db.execute(sql`select set_config('enable_seqscan', 'off', true)`);
}
