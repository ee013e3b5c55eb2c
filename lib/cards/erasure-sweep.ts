import { sql } from "drizzle-orm";
import { log } from "#lib/base/log.ts";
import { ERASURE_PASSES } from "#lib/cards/cardholder-state.ts";
import { eraseRecords } from "#lib/cards/internal/erased-records.ts";
import { eraseCopies } from "#lib/cards/internal/erased-copies.ts";
import { eraseMentions } from "#lib/cards/internal/erased-mentions.ts";
import type { Erasing } from "#lib/cards/internal/erasing.ts";
import { ERASING } from "#db/schema/integrators.ts";
import { inTime, inTransaction, markCommit } from "#db/transaction.ts";
import { timeLimit } from "#db/time-limits.ts";
import type { Db } from "#db/client.ts";

/** How many erasures one sweep continues. */
const HOLDERS_MAX = 20;

/**
 * Continues every erasure that has begun. Each goes through all records twice: immediately, and again when nothing that
 * began before it can still be running, such as a request that is about to save its answer, or a webhook in flight. An
 * interrupted pass starts over. Any number of processes may call this; only one at a time erases.
 */
export async function completeErasures(db: Db): Promise<void> {
  for (const holder of await readDue(db)) {
    await erase(db, holder).catch((error: unknown) => {
      const { integratorId, id } = holder;
      log.error({ err: error, integratorId, id }, "A cardholder could not be erased.");
    });
  }
}

async function readDue(db: Db): Promise<Erasing[]> {
  const rows = await inTime(() =>
    db.execute<{ integrator_id: string; id: string; passes: number }>(sql`
      select integrator_id, id, erasure_passes as passes from cardholders
      where ${ERASING} and (erasure_passes = 0
        or erased_at <= clock_timestamp() - make_interval(secs => ${timeLimit("erasureSettles") / 1_000}))
      order by erased_at limit ${HOLDERS_MAX}`),
  );
  return rows.map(({ integrator_id: integratorId, id, passes }) => ({
    db,
    integratorId,
    id,
    passes,
  }));
}

async function erase(db: Db, holder: Erasing): Promise<void> {
  const { integratorId, id, passes } = holder;
  const cardIds = await readCardIds(holder);
  const isAtEnd =
    (await eraseMentions(holder)) &&
    (await eraseRecords(holder, cardIds)) &&
    (await eraseCopies(holder, cardIds));
  if (!isAtEnd) {
    return;
  }
  const next = Math.min(passes + 1, ERASURE_PASSES);
  await inTransaction(db, async (tx) => {
    markCommit(
      tx,
      sql`exists (
      select from cardholders where integrator_id = ${integratorId} and id = ${id} and erasure_passes >= ${next})`,
    );
    // The condition on `passes` counts each pass once, even if several processes have completed it.
    await tx.execute(sql`
      update cardholders set erasure_passes = ${next}
      where integrator_id = ${integratorId} and id = ${id} and erasure_passes = ${passes}`);
  });
}

async function readCardIds({ db, integratorId, id }: Erasing): Promise<string[]> {
  const rows = await inTime(() =>
    db.execute<{ id: string }>(sql`
      select id from cards where integrator_id = ${integratorId} and cardholder_id = ${id} order by id`),
  );
  return rows.map((row) => row.id);
}
