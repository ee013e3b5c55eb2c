import { and, asc, count, desc, eq, gt, lt, sql } from "drizzle-orm";
import type { SQL } from "drizzle-orm";
import type { ReadContext } from "#lib/base/context.ts";
import { notFound } from "#lib/base/errors.ts";
import { isId } from "#lib/base/ids.ts";
import { COUNTED_MAX, requireCursor, toCount, toPage } from "#lib/base/paging.ts";
import type { Count, Page } from "#lib/base/paging.ts";
import { isWithin } from "#lib/base/period.ts";
import type { Period } from "#lib/base/period.ts";
import { matchWords } from "#lib/base/search.ts";
import type { CardOrder } from "#lib/cards/card-state.ts";
import { countCardsOf } from "#lib/cards/cardholder-cards.ts";
import { cards } from "#db/schema/cards.ts";
import { cardholders, hasEmail, toSearchedPerson } from "#db/schema/integrators.ts";

/** A person who holds cards. Only the last four characters of the identity number are stored. */
export type Cardholder = Omit<typeof cardholders.$inferSelect, "eventSequence">;

/**
 * Which cardholders to list. `search` is words of names and emails in any order; `email` is a complete address, in
 * upper or lower case.
 */
export interface CardholderFilter extends Period {
  search?: string | undefined;
  email?: string | undefined;
  archived?: boolean | undefined;
  order?: CardOrder | undefined;
}

/** The cardholder with this id, if it belongs to this integrator. */
export async function findCardholder(
  ctx: ReadContext,
  id: string,
): Promise<Cardholder | undefined> {
  const [row] = isId(id)
    ? await ctx.db
        .select()
        .from(cardholders)
        .where(and(eq(cardholders.integratorId, ctx.actor.integratorId), eq(cardholders.id, id)))
    : [];
  return row;
}

/** @throws DomainError `user_not_found`, also for another integrator's cardholder. */
export async function getCardholder(ctx: ReadContext, id: string): Promise<Cardholder> {
  const cardholder = await findCardholder(ctx, id);
  if (!cardholder) {
    throw notFound("user_not_found");
  }
  return cardholder;
}

/**
 * The holder of a card.
 * @throws DomainError `card_not_found`, also for another integrator's card.
 */
export async function getHolderOf(ctx: ReadContext, cardId: string): Promise<Cardholder> {
  const { integratorId } = ctx.actor;
  const [row] = await ctx.db
    .select({ holder: cardholders })
    .from(cards)
    .innerJoin(
      cardholders,
      and(eq(cardholders.integratorId, integratorId), eq(cardholders.id, cards.cardholderId)),
    )
    .where(and(eq(cards.integratorId, integratorId), eq(cards.id, cardId)));
  if (!row) {
    throw notFound("card_not_found");
  }
  return row.holder;
}

/** The integrator's cardholders, by page number or by cursor. The API contract requires the total, so they are counted. */
export async function listCardholders(
  ctx: ReadContext,
  { page, ...filter }: Paged & { page: number },
): Promise<Page<Cardholder> & { page: number; total: number; totalPages: number }> {
  const { limit } = filter;
  const [counted] = await ctx.db
    .select({ total: count() })
    .from(cardholders)
    .where(and(eq(cardholders.integratorId, ctx.actor.integratorId), toCondition(filter)));
  const rows = await readRows(ctx, filter, (page - 1) * limit);
  const total = counted?.total ?? 0;
  return {
    ...toPage(rows, limit, ({ id }) => id),
    page,
    total,
    totalPages: Math.ceil(total / limit),
  };
}

/** A cardholder in a list. */
export interface CardholderRow extends Cardholder {
  /** How many cards were ever created for them. */
  cards: Count;
}

/** One page of a list by cursor. */
type Paged = CardholderFilter & { limit: number; cursor?: string | undefined };

/** The integrator's cardholders with the number of their cards, newest first, by cursor. */
export async function listCardholderPage(
  ctx: ReadContext,
  filter: Paged,
): Promise<Page<CardholderRow>> {
  const rows = await readRows(ctx, filter, 0);
  const page = toPage(rows, filter.limit, ({ id }) => id);
  const ids = page.rows.map(({ id }) => id);
  const counts = await countCardsOf(ctx, ids);
  const none = toCount(0);
  return { ...page, rows: page.rows.map((row) => ({ ...row, cards: counts.get(row.id) ?? none })) };
}

/** Reads one page and one more row. */
async function readRows(ctx: ReadContext, filter: Paged, offset: number): Promise<Cardholder[]> {
  return ctx.db
    .select()
    .from(cardholders)
    .where(and(eq(cardholders.integratorId, ctx.actor.integratorId), toPageCondition(filter)))
    .orderBy(filter.order === "oldest" ? asc(cardholders.id) : desc(cardholders.id))
    .limit(filter.limit + 1)
    .offset(offset);
}

/** How many cardholders the filter matches from its cursor on, up to a bound. */
export async function countCardholders(ctx: ReadContext, filter: Paged): Promise<Count> {
  const matched = ctx.db
    .select({ id: cardholders.id })
    .from(cardholders)
    .where(and(eq(cardholders.integratorId, ctx.actor.integratorId), toPageCondition(filter)))
    .limit(COUNTED_MAX)
    .as("matched");
  const [row] = await ctx.db.select({ matched: count() }).from(matched);
  return toCount(row?.matched ?? 0);
}

function toPageCondition({ cursor: given, ...filter }: Paged): SQL | undefined {
  const cursor = requireCursor(given);
  const beyond = filter.order === "oldest" ? gt : lt;
  return and(toCondition(filter), cursor ? beyond(cardholders.id, cursor) : undefined);
}

/** Without a parameter, so that the planner can use the partial index of archived cardholders. */
const ARCHIVED = {
  true: sql`${cardholders.archived}`,
  false: sql`not ${cardholders.archived}`,
} as const;

function toCondition({ search, email, archived, from, to }: CardholderFilter): SQL | undefined {
  return and(
    isWithin(cardholders.id, { from, to }),
    search ? matchWords(search, (_, isIn) => isIn(toSearchedPerson(cardholders))) : undefined,
    email ? hasEmail(email) : undefined,
    archived === undefined ? undefined : ARCHIVED[`${archived}`],
  );
}
