import { and, count, eq, gte, ne, sql } from "drizzle-orm";
import type { SQL } from "drizzle-orm";
import type { AnyPgColumn } from "drizzle-orm/pg-core";
import type { WriteContext } from "#lib/base/context.ts";
import { firstIdAt } from "#lib/base/ids.ts";
import { lockCards } from "#lib/cards/card-lock.ts";
import { expireAuthorizations } from "#lib/purchases/expiries.ts";
import type { ExpiringHold } from "#lib/purchases/expiries.ts";
import { freezeIdle } from "#lib/transactions/idle-freeze.ts";
import { cards } from "#db/schema/cards.ts";
import { OPEN_HOLD, transactions } from "#db/schema/transactions.ts";
import { ledgerAccounts } from "#db/schema/ledger.ts";
import type { Tx } from "#db/transaction.ts";

/** A record whose deadline has passed. */
interface Due extends ExpiringHold {
  at: Date;
}

/** Which deadlines to find: those of one integrator that have passed at a time of its clock. */
interface DueQuery {
  integratorId: string;
  until: Date;
  limit: number;
}

interface Deadline {
  column: AnyPgColumn;
  /** The noun for one record, and for several. */
  nouns: readonly [string, string];
  /**
   * How to find the first records that are due, earliest first, and what happens to them. Absent if nothing happens
   * until the record is used.
   */
  expiry?: {
    findDue: (tx: Tx, query: DueQuery) => Promise<Due[]>;
    expire: (ctx: WriteContext, due: readonly Due[]) => Promise<void>;
  };
  /** How many open records had their deadline set at this time or later. */
  countSince: (tx: Tx, integratorId: string, since: Date) => Promise<number>;
}

/**
 * Every deadline that a sandbox's clock applies to. Code that sets or compares one of these columns must use
 * `toDeadlineTime` or `hasPassed`. Sessions, links, API keys, and stored responses expire in real time instead.
 */
export const DEADLINES: readonly Deadline[] = [
  {
    column: transactions.holdExpiresAt,
    nouns: ["authorization", "authorizations"],
    expiry: { findDue: findDueHolds, expire: expireAuthorizations },
    countSince: countHoldsSince,
  },
  {
    column: ledgerAccounts.freezeDueAt,
    nouns: ["freeze", "freezes"],
    expiry: { findDue: findDueCards(sql`freeze_due_at`), expire: liftDueFreezes },
    countSince: countFreezesSince,
  },
  {
    column: ledgerAccounts.idleDueAt,
    nouns: ["idle card", "idle cards"],
    expiry: { findDue: findDueCards(sql`idle_due_at`), expire: freezeDueIdle },
    // A reset computes these deadlines again.
    countSince: async () => 0,
  },
  {
    column: ledgerAccounts.expiresAt,
    nouns: ["card", "cards"],
    countSince: countCardsSince,
  },
];

/**
 * Processes the first deadlines of any kind that are due, in the order in which they passed.
 * @returns how many.
 */
export async function expireDue(ctx: WriteContext, query: DueQuery): Promise<number> {
  const found: { due: Due; expiry: NonNullable<Deadline["expiry"]> }[] = [];
  for (const { expiry } of DEADLINES) {
    const all = (await expiry?.findDue(ctx.tx, query)) ?? [];
    found.push(...all.flatMap((due) => (expiry ? { due, expiry } : [])));
  }
  const first = found
    .toSorted((a, b) => a.due.at.getTime() - b.due.at.getTime())
    .slice(0, query.limit);
  // Consecutive records of one kind expire together.
  for (let start = 0, end = 0; start < first.length; start = end) {
    const expiry = first[start]?.expiry;
    while (end < first.length && first[end]?.expiry === expiry) {
      end += 1;
    }
    await expiry?.expire(
      ctx,
      first.slice(start, end).map(({ due }) => due),
    );
  }
  return first.length;
}

/** The open records whose deadlines were set at this time or later, counted for people: `2 cards`. */
export async function listOpenSince(tx: Tx, integratorId: string, since: Date): Promise<string[]> {
  const counted: string[] = [];
  for (const { nouns, countSince } of DEADLINES) {
    const number = await countSince(tx, integratorId, since);
    if (number > 0) {
      counted.push(`${number} ${nouns[number === 1 ? 0 : 1]}`);
    }
  }
  return counted;
}

/** The subselect is fenced, so that the integrator's open holds are read by their own index. */
async function findDueHolds(tx: Tx, { integratorId, until, limit }: DueQuery): Promise<Due[]> {
  const rows = await tx.execute<{ id: string; card_id: string; at: number }>(sql`
    select id, card_id, (extract(epoch from hold_expires_at) * 1000)::float8 as at
    from (
      select id, card_id, hold_expires_at from transactions where integrator_id = ${integratorId} and ${OPEN_HOLD} offset 0
    ) open
    where hold_expires_at <= to_timestamp(${until.getTime()}::float8 / 1000)
    order by hold_expires_at, id
    limit ${limit}`);
  return rows.map((row) => ({ id: row.id, cardId: row.card_id, at: new Date(row.at) }));
}

/** Makes the query for cards whose deadline in this column of their accounts has passed. */
function findDueCards(column: SQL) {
  return async (tx: Tx, { integratorId, until, limit }: DueQuery): Promise<Due[]> => {
    const rows = await tx.execute<{ id: string; at: number }>(sql`
      select id, (extract(epoch from ${column}) * 1000)::float8 as at
      from ledger_accounts
      where integrator_id = ${integratorId} and ${column} <= to_timestamp(${until.getTime()}::float8 / 1000)
      order by ${column}, id
      limit ${limit}`);
    return rows.map((row) => ({ id: row.id, cardId: row.id, at: new Date(row.at) }));
  };
}

/** Locking a card lifts its freezes that have ended. */
async function liftDueFreezes({ tx, actor }: WriteContext, due: readonly Due[]): Promise<void> {
  await lockCards(
    tx,
    actor.integratorId,
    due.map(({ cardId }) => cardId),
  );
}

async function freezeDueIdle({ tx, actor }: WriteContext, due: readonly Due[]): Promise<void> {
  await freezeIdle(
    tx,
    actor.integratorId,
    due.map(({ cardId }) => cardId),
  );
}

/** Fenced, so that each card is looked up by its own id. */
async function countFreezesSince(tx: Tx, integratorId: string, since: Date): Promise<number> {
  const [row] = await tx.execute<{ count: number }>(sql`
    select count(distinct (due.id, standing.key))::int as count
    from (
      select id from ledger_accounts where integrator_id = ${integratorId} and freeze_due_at is not null offset 0
    ) due
    cross join lateral (
      select freezes from cards where integrator_id = ${integratorId} and cards.id = due.id offset 0
    ) card
    cross join jsonb_each(card.freezes) as standing
    cross join lateral (
      select id, level, until from card_state_changes
      where integrator_id = ${integratorId} and card_id = due.id offset 0
    ) made
    where made.id >= ${firstIdAt(since.getTime())} and made.level = standing.key
      and made.until = (standing.value->>'until')::timestamptz`);
  return row?.count ?? 0;
}

async function countHoldsSince(tx: Tx, integratorId: string, since: Date): Promise<number> {
  const [row] = await tx.execute<{ count: number }>(sql`
    select count(*)::int as count
    from (
      select id from transactions where integrator_id = ${integratorId} and ${OPEN_HOLD} offset 0
    ) open
    where id >= ${firstIdAt(since.getTime())}`);
  return row?.count ?? 0;
}

async function countCardsSince(tx: Tx, integratorId: string, since: Date): Promise<number> {
  const [row] = await tx
    .select({ count: count() })
    .from(cards)
    .innerJoin(
      ledgerAccounts,
      and(eq(ledgerAccounts.integratorId, cards.integratorId), eq(ledgerAccounts.id, cards.id)),
    )
    .where(
      and(
        eq(cards.integratorId, integratorId),
        gte(cards.id, firstIdAt(since.getTime())),
        ne(ledgerAccounts.status, "closed"),
      ),
    );
  return row?.count ?? 0;
}
