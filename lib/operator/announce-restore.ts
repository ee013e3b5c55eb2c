import { asc, sql } from "drizzle-orm";
import { OPERATOR } from "#lib/base/actor.ts";
import { newId } from "#lib/base/ids.ts";
import { recordAccountEvents } from "#lib/record/events.ts";
import type { EventSource } from "#lib/record/events.ts";
import { integrators } from "#db/schema/integrators.ts";
import { inUpkeep } from "#db/transaction.ts";
import type { Db } from "#db/client.ts";

/**
 * When the newest event was recorded: a restored database knows of nothing later. Null if there are no events. Reads
 * only one event of each integrator, because an integrator may have any number of events.
 */
export async function findNewestMoment(db: Db): Promise<Date | null> {
  const [row] = await db.execute<{ ms: number | null }>(sql`
    select (extract(epoch from max(newest.created_at)) * 1000)::float8 as ms
    from integrators i cross join lateral (
      select created_at from events e where e.integrator_id = i.id order by e.xid desc, e.id desc limit 1
    ) newest`);
  return typeof row?.ms === "number" ? new Date(row.ms) : null;
}

/**
 * Records `account.restored` for every integrator, each in a transaction of its own.
 * @param to the moment that was restored.
 * @returns how many integrators there are.
 */
export async function announceRestore(db: Db, to: Date): Promise<number> {
  const accounts = await db
    .select({ integratorId: integrators.id, apiVersion: integrators.apiVersion })
    .from(integrators)
    .orderBy(asc(integrators.id));
  for (const account of accounts) {
    await announceOne(db, account, to);
  }
  return accounts.length;
}

/** Records `account.restored` for one integrator. */
export async function announceOne(db: Db, account: EventSource, to: Date): Promise<void> {
  await inUpkeep(db, (tx) =>
    recordAccountEvents(tx, account, [
      {
        event: "account.restored",
        subject: { type: "account", id: account.integratorId },
        actor: OPERATOR,
        requestId: newId(),
        data: { restored_to: to.toISOString() },
      },
    ]),
  );
}
