import { sql } from "drizzle-orm";
import { lockCards } from "#lib/cards/card-lock.ts";
import { sweepCards } from "#lib/clock/internal/due-cards.ts";
import type { Db } from "#db/client.ts";

/** Lifts the freezes that have ended by now and whose cards nobody has locked since. See `sweepCards`. */
export function endFreezes(db: Db): Promise<void> {
  return sweepCards(db, {
    lock: 7_203_131,
    column: sql`freeze_due_at`,
    // Locking a card lifts its freezes that have ended.
    work: lockCards,
    failure: "Freezes that have ended could not be lifted.",
  });
}
