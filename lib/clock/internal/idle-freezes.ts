import { sql } from "drizzle-orm";
import { log } from "#lib/base/log.ts";
import { sweepCards } from "#lib/clock/internal/due-cards.ts";
import { fillIdleDues, freezeIdle } from "#lib/transactions/idle-freeze.ts";
import { awaitEarlierWriters } from "#db/earlier-writers.ts";
import { inTime, inTransaction } from "#db/transaction.ts";
import type { Db } from "#db/client.ts";

/**
 * Freezes the cards that are idle by now. First computes the idle deadlines of accounts whose setting has changed. See
 * `sweepCards`.
 */
export async function freezeIdleCards(db: Db): Promise<void> {
  await fillAll(db);
  await sweepCards(db, {
    lock: 7_203_132,
    column: sql`idle_due_at`,
    work: freezeIdle,
    failure: "Idle cards could not be frozen.",
  });
}

async function fillAll(db: Db): Promise<void> {
  const begun = await inTime(() =>
    db.execute<{ id: string }>(sql`select id from integrators where idle_fill_after is not null`),
  );
  for (const { id } of begun) {
    await fillIdle(db, id).catch((error: unknown) => {
      log.error({ err: error, integratorId: id }, "Cards could not be told when they are idle.");
    });
  }
}

/**
 * Computes when each active card of an account will be idle, if the account's setting has changed. First waits for
 * transactions that have read the old setting, because they may still create a card or lift a freeze.
 */
export async function fillIdle(db: Db, integratorId: string): Promise<void> {
  await awaitEarlierWriters(db, "integrators");
  while (!(await inTransaction(db, (tx) => fillIdleDues(tx, integratorId)))) {
    // Each transaction handles some of the cards.
  }
}
