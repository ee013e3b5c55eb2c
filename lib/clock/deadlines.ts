import { and, count, eq, gte, ne, sql } from "drizzle-orm";
import type { AnyPgColumn } from "drizzle-orm/pg-core";
import type { WriteContext } from "#lib/base/context.ts";
import { firstIdAt } from "#lib/base/ids.ts";
import { expireAuthorization } from "#lib/purchases/holds.ts";
import { cards, OPEN_HOLD, transactions } from "#db/schema/cards.ts";
import { ledgerAccounts } from "#db/schema/ledger.ts";
import type { Tx } from "#db/transaction.ts";

/** A deadline that passes, and what happens then. */
export interface Due {
  at: Date;
  expire: (ctx: WriteContext) => Promise<unknown>;
}

/** Which deadlines to find: those of one integrator that have passed at a time of its clock. */
interface DueQuery {
  integratorId: string;
  until: Date;
  limit: number;
}

interface Deadline {
  column: AnyPgColumn;
  /** What has it, for people: one of them, and several. */
  nouns: readonly [string, string];
  /** The first ones that are due, earliest first. Absent where nothing happens until the record is used. */
  findDue?: (tx: Tx, query: DueQuery) => Promise<Due[]>;
  /** How many open records had it set at this time or later. */
  countSince: (tx: Tx, integratorId: string, since: Date) => Promise<number>;
}

/**
 * Every deadline that a sandbox's clock applies to. Whatever sets or compares one of these columns uses `toDeadlineTime`
 * or `hasPassed`. Times of sessions, links, API keys, and stored answers are not among them: they keep real time.
 */
export const DEADLINES: readonly Deadline[] = [
  {
    column: transactions.holdExpiresAt,
    nouns: ["authorization", "authorizations"],
    findDue: findDueHolds,
    countSince: countHoldsSince,
  },
  {
    column: ledgerAccounts.expiresAt,
    nouns: ["card", "cards"],
    countSince: countCardsSince,
  },
];

/** The first deadlines of any kind that are due, in the order in which they passed. */
export async function findDue(tx: Tx, query: DueQuery): Promise<Due[]> {
  const found: Due[] = [];
  for (const deadline of DEADLINES) {
    found.push(...((await deadline.findDue?.(tx, query)) ?? []));
  }
  return found.toSorted((a, b) => a.at.getTime() - b.at.getTime()).slice(0, query.limit);
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
  const rows = await tx.execute<{ id: string; at: number }>(sql`
    select id, (extract(epoch from hold_expires_at) * 1000)::float8 as at
    from (
      select id, hold_expires_at from transactions where integrator_id = ${integratorId} and ${OPEN_HOLD} offset 0
    ) open
    where hold_expires_at <= to_timestamp(${until.getTime()}::float8 / 1000)
    order by hold_expires_at, id
    limit ${limit}`);
  return rows.map(({ id, at }) => ({
    at: new Date(at),
    expire: (ctx) => expireAuthorization(ctx, id),
  }));
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
