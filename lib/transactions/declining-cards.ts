import { eq, sql } from "drizzle-orm";
import type { SQL } from "drizzle-orm";
import { firstIdAt } from "#lib/base/ids.ts";
import { log } from "#lib/base/log.ts";
import { readMoment } from "#lib/base/moment.ts";
import { cardsDeclining } from "#lib/messages/kinds/cards-declining.ts";
import { tellStaff } from "#lib/messages/tell-staff.ts";
import { toDeclineReasonName } from "#lib/transactions/decline-rules.ts";
import { toRepeatedDeclines } from "#lib/transactions/repeated-declines.ts";
import { integrators } from "#db/schema/integrators.ts";
import { inTime, inTransaction } from "#db/transaction.ts";
import type { Db } from "#db/client.ts";
import type { Tx } from "#db/transaction.ts";

const HOUR_MS = 3_600_000;

/** How many cards a message lists. */
const LISTED_MAX = 10;

const ACCOUNTS_MAX = 100;

/**
 * Tells people about the cards that have declined several purchases within the last hour of real time. Sends an account
 * at most one message an hour, whatever the number of cards and declines. Any number of processes may call it.
 */
export async function tellOfDecliningCards(db: Db): Promise<void> {
  const { at } = await readMoment(db);
  const since = firstIdAt(at.getTime() - HOUR_MS);
  const rows = await inTime(() =>
    db.execute<{ id: string }>(sql`
      select i.id from integrators i
      where exists (${toRepeatedDeclines(sql`i.id`, since)}) and not ${isTold(sql`i.id`, since)}
      limit ${ACCOUNTS_MAX}`),
  );
  for (const { id } of rows) {
    await inTransaction(db, (tx) => tellOf(tx, id, since)).catch((error: unknown) => {
      log.error({ err: error, integratorId: id }, "Nobody could be told of cards that decline.");
    });
  }
}

/** Locks the account's row, so that each process finds the message of the previous one. */
async function tellOf(tx: Tx, integratorId: string, since: string): Promise<void> {
  await tx
    .select({ id: integrators.id })
    .from(integrators)
    .where(eq(integrators.id, integratorId))
    .for("no key update");
  const id = sql`${integratorId}::uuid`;
  const cards = await tx.execute<
    Record<"last4" | "reason", string> & Record<"declines" | "total", number>
  >(sql`
    select c.last4, declining.declines, declining.reason, count(*) over ()::int as total
    from (${toRepeatedDeclines(id, since)}) declining
    join cards c on c.integrator_id = ${id} and c.id = declining.card_id
    where not ${isTold(id, since)}
    order by declining.declines desc, c.id limit ${LISTED_MAX}`);
  const [first] = cards;
  if (first) {
    await tellStaff(tx, integratorId, {
      kind: cardsDeclining,
      facts: {
        cards: cards.map(({ last4, declines, reason }) => ({
          last4,
          declines,
          reason: toDeclineReasonName(reason),
        })),
        total: first.total,
        path: "/transactions?status=declined",
      },
      personId: null,
    });
  }
}

/** Whether an integrator's people were told of such cards. */
function isTold(integratorId: SQL, since: string): SQL {
  return sql`exists (
    select from messages m
    where m.integrator_id = ${integratorId} and m.id > ${since} and m.kind = ${cardsDeclining.kind})`;
}
