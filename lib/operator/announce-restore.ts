import { asc, sql } from "drizzle-orm";
import { OPERATOR } from "#lib/base/actor.ts";
import { newId } from "#lib/base/ids.ts";
import { recordAccountEvents } from "#lib/record/events.ts";
import type { EventSource } from "#lib/record/events.ts";
import { events } from "#db/schema/events.ts";
import { integrators } from "#db/schema/integrators.ts";
import { inTransaction } from "#db/transaction.ts";
import type { Db } from "#db/client.ts";

/** When the newest event was recorded: a restored database knows of nothing later. Null before the first one. */
export async function findNewestMoment(db: Db): Promise<Date | null> {
  const [row] = await db
    .select({ at: sql<Date | null>`max(${events.createdAt})`.mapWith(events.createdAt) })
    .from(events);
  return row?.at ?? null;
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
  await inTransaction(db, (tx) =>
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
