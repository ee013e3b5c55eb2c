import { isDeepStrictEqual } from "node:util";
import { and, eq, sql } from "drizzle-orm";
import type { SQL } from "drizzle-orm";
import { toDeadlineTime } from "#lib/base/deadline-clock.ts";
import { toLimitPeriod } from "#lib/base/limit-period.ts";
import { countsTogether, isFor, toCardControls } from "#lib/cards/spending-controls.ts";
import type { SpendingLimit } from "#lib/cards/spending-controls.ts";
import { findCardAccount } from "#lib/ledger/accounts.ts";
import type { Locked } from "#lib/ledger/accounts.ts";
import type { Db } from "#db/client.ts";
import { pipeline } from "#db/pipeline.ts";
import type { LimitUse, LimitUses } from "#db/schema/spending-controls.ts";
import { COUNTED, COUNTED_CATEGORY, transactions } from "#db/schema/transactions.ts";
import type { Tx } from "#db/transaction.ts";

/** What a transaction row counts toward limits, or a change of that amount. In minor units. */
export interface Counted {
  counted: number;
  /** By the integrator's clock. */
  countedAt: Date;
  /** The merchant category code; null if it is unknown. */
  category: string | null;
}

/** A card and its limits, at a moment of the integrator's clock. */
interface Asked {
  integratorId: string;
  cardId: string;
  limits: readonly SpendingLimit[];
  uses: LimitUses | null;
  timeZone: string;
  now: Date;
}

/**
 * Adds to locked cards what they have used of their limits in the current periods. Costs a statement only for a card
 * whose limits count purchases together, and whose periods, time zone, or limits have changed since the last count.
 */
export async function withLimitUses(tx: Tx, locked: Locked): Promise<Locked> {
  const { accounts, integrator } = locked;
  const changed = [...accounts.byId.keys()].flatMap((id) => {
    const account = findCardAccount(accounts, id);
    if (!account) {
      return [];
    }
    const { spendingControls: own, limitUses: uses } = account;
    const { spendingControls } = toCardControls(own, integrator.spendingControls);
    const asked: Asked = {
      integratorId: integrator.integratorId,
      cardId: id,
      limits: spendingControls?.spending_limits ?? [],
      uses,
      timeZone: integrator.timeZone,
      now: toDeadlineTime(integrator, accounts.at),
    };
    return areCurrent(asked) ? [] : [{ account, asked }];
  });
  if (changed.length === 0) {
    return locked;
  }
  const read = await pipeline(changed.map(({ asked }) => readLimitUses(tx, asked)));
  const byId = new Map(accounts.byId);
  for (const [index, { account }] of changed.entries()) {
    byId.set(account.id, { ...account, limitUses: read[index] ?? null, hasNewUses: true });
  }
  return { integrator, accounts: { ...accounts, byId } };
}

/**
 * Returns what a card has used, in the current periods, of its limits that count purchases together, in their order;
 * null if it has no such limits. Reads only what is not already known.
 */
export async function readLimitUses(db: Db | Tx, asked: Asked): Promise<LimitUses | null> {
  const { integratorId, cardId, uses, timeZone, now } = asked;
  const limits = toKept(asked).map((limit, index) => {
    const known = uses?.zone === timeZone ? uses.limits[index] : undefined;
    return known && isOf(known, limit) && isIn(known, now) ? known : toUnread(limit, asked);
  });
  const unread = limits.filter((limit) => !isRead(limit));
  if (limits.length === 0) {
    return null;
  }
  const sums = unread.length === 0 ? [] : await sumCounted(db, { integratorId, cardId }, unread);
  const usedOf = new Map(unread.map((limit, index) => [limit, sums[index] ?? 0]));
  return {
    zone: timeZone,
    limits: limits.map((limit) => ({ ...limit, used: usedOf.get(limit) ?? limit.used })),
  };
}

/** The limits that count purchases together. */
function toKept({ limits }: Pick<Asked, "limits">): SpendingLimit[] {
  return limits.filter(countsTogether);
}

function areCurrent(asked: Asked): boolean {
  const { uses, timeZone, now } = asked;
  const kept = toKept(asked);
  return uses === null
    ? kept.length === 0
    : uses.zone === timeZone &&
        uses.limits.length === kept.length &&
        kept.length > 0 &&
        uses.limits.every((use, index) => isOf(use, kept[index]) && isIn(use, now));
}

function isOf({ interval, categories }: LimitUse, limit: SpendingLimit | undefined): boolean {
  return limit?.interval === interval && isDeepStrictEqual(limit.categories, categories);
}

/** Whether a moment is in the period of a limit. */
export function isIn({ from, to }: Pick<LimitUse, "from" | "to">, at: Date): boolean {
  return (from === null || at.getTime() >= from) && (to === null || at.getTime() < to);
}

const UNREAD = -1;

function isRead({ used }: LimitUse): boolean {
  return used !== UNREAD;
}

function toUnread({ interval, categories }: SpendingLimit, { now, timeZone }: Asked): LimitUse {
  const { from, to } = toLimitPeriod(interval, now, timeZone);
  return {
    interval,
    categories,
    from: from?.getTime() ?? null,
    to: to?.getTime() ?? null,
    used: UNREAD,
  };
}

/**
 * Sums what a card's rows count in each of these periods. An index suffices unless a limit is only for some categories.
 */
async function sumCounted(
  db: Db | Tx,
  { integratorId, cardId }: Pick<Asked, "integratorId" | "cardId">,
  limits: readonly LimitUse[],
): Promise<number[]> {
  const sums = limits.map(
    (limit) => sql`coalesce(sum(counted) filter (where ${toCondition(limit)}), 0)::float8`,
  );
  const earliest = limits.some(({ from }) => from === null)
    ? null
    : Math.min(...limits.map(({ from }) => from ?? 0));
  const [row] = await db
    .select({ sums: sql<number[]>`array[${sql.join(sums, sql`, `)}]` })
    .from(transactions)
    .where(
      and(
        eq(transactions.integratorId, integratorId),
        eq(transactions.cardId, cardId),
        COUNTED,
        earliest === null ? undefined : sql`counted_at >= ${toTime(earliest)}`,
      ),
    );
  return row?.sums ?? [];
}

function toCondition({ from, to, categories }: LimitUse): SQL {
  const conditions = [
    from === null ? undefined : sql`counted_at >= ${toTime(from)}`,
    to === null ? undefined : sql`counted_at < ${toTime(to)}`,
    categories === null
      ? undefined
      : sql`${COUNTED_CATEGORY} = any(${sql.param([...categories])}::text[])`,
  ];
  return and(...conditions) ?? sql`true`;
}

function toTime(ms: number): SQL {
  return sql`to_timestamp(${ms}::float8 / 1000)`;
}

/** The uses after a row's counted amount has changed; a negative amount reduces them. */
export function countIn(uses: LimitUses, { counted, countedAt, category }: Counted): LimitUses {
  return {
    ...uses,
    limits: uses.limits.map((limit) =>
      isIn(limit, countedAt) && isFor(limit, category)
        ? { ...limit, used: limit.used + counted }
        : limit,
    ),
  };
}
