import { sql } from "drizzle-orm";
import type { SQL } from "drizzle-orm";
import type { AnyPgColumn } from "drizzle-orm/pg-core";

/**
 * The text that transactions are searched by, concatenated; null without any, so that most credits are not in its index. The
 * planner ignores the statistics of a partial index, so `transactions_words` (`0001_guards.sql`) keeps them for exactly
 * this expression: with them it distinguishes a rare word (looked up) from a common one (found soon among the newest rows).
 */
export function toSearchedText(
  table: Record<"narrative" | "merchant" | "declineReason", AnyPgColumn>,
): SQL {
  return sql`nullif(coalesce(${table.narrative}, '') || ' ' || coalesce(${table.merchant}->>'name', '') || ' '
    || coalesce(${table.declineReason} || ' ' || replace(${table.declineReason}, '_', ' '), ''), '  ')`;
}
