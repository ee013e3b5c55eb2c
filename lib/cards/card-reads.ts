import { and, asc, between, count, desc, eq, getTableName, gt, lt, sql } from "drizzle-orm";
import type { SQL } from "drizzle-orm";
import type { AnyPgColumn, QueryBuilder } from "drizzle-orm/pg-core";
import type { CardOrder, CardStatus } from "#lib/cards/card-state.ts";
import type { Metadata } from "#lib/cards/card-metadata.ts";
import type { Card } from "#lib/cards/card-resource.ts";
import type { ReadContext } from "#lib/base/context.ts";
import { notFound } from "#lib/base/errors.ts";
import { isId } from "#lib/base/ids.ts";
import { COUNTED_MAX, requireCursor, toCount, toPage } from "#lib/base/paging.ts";
import type { Count, Page } from "#lib/base/paging.ts";
import { containsText } from "#lib/base/search.ts";
import { cards } from "#db/schema/cards.ts";
import { ledgerAccounts } from "#db/schema/ledger.ts";
import { runSelect, toPresentNames } from "#db/compiled-select.ts";
import type { Db } from "#db/client.ts";
import type { Tx } from "#db/transaction.ts";

/**
 * Which cards to list. `search` is four digits (the last four), a card's id, `key=value` of its metadata, or part of the
 * name on the card. `metadata` matches cards that have all of its entries.
 */
export interface CardFilter {
  metadata?: Metadata | undefined;
  cardholderId?: string | undefined;
  statuses?: readonly CardStatus[] | undefined;
  search?: string | undefined;
  order?: CardOrder | undefined;
  limit: number;
  page?: number | undefined;
  cursor?: string | undefined;
}

/** @throws DomainError `card_not_found`, also for another integrator's card. */
export async function getCard(ctx: ReadContext, id: string): Promise<Card> {
  const [card] = isId(id) ? await findCards(ctx.db, ctx.actor.integratorId, [id]) : [];
  if (!card) {
    throw notFound("card_not_found");
  }
  return card;
}

/**
 * Reads a card and something else about it, in parallel.
 * @throws DomainError `card_not_found`, also for another integrator's card.
 */
export async function getCardWith<T>(
  ctx: ReadContext,
  id: string,
  read: () => Promise<T>,
): Promise<[Card, T]> {
  if (!isId(id)) {
    throw notFound("card_not_found");
  }
  return Promise.all([getCard(ctx, id), read()]);
}

/** This integrator's cards with these ids, in no particular order. */
export async function findCards(
  db: Db | Tx,
  integratorId: string,
  ids: readonly string[],
): Promise<Card[]> {
  const rows = await runSelect(db, {
    key: "cards by id",
    build: (builder) =>
      selectByCard(
        builder,
        eq(cards.integratorId, sql.placeholder("integratorId")),
        sql`${cards.id} = any(${sql.placeholder("ids")}::uuid[])`,
      ),
    values: { integratorId, ids: [...new Set(ids)] },
  });
  return rows.map(toCard);
}

/** The integrator's cards, newest first unless the filter says otherwise. */
export async function listCards(ctx: ReadContext, filter: CardFilter): Promise<Page<Card>> {
  // Order by the side whose index serves the rest of the filter.
  const id = filter.statuses && !filter.cardholderId ? ledgerAccounts.id : cards.id;
  const rowsBefore = ((filter.page ?? 1) - 1) * filter.limit;
  const rows = await runSelect(ctx.db, {
    key: toKey("cards", filter),
    build: (builder) =>
      selectListed(builder, filter)
        .orderBy(...[cards.integratorId, id].map(filter.order === "oldest" ? asc : desc))
        .limit(sql.placeholder("rowsMax"))
        .offset(sql.placeholder("rowsBefore")),
    values: {
      ...toValues(ctx, filter),
      rowsMax: filter.limit + 1,
      rowsBefore,
      rowsOfStatusMax: rowsBefore + filter.limit + 1,
    },
  });
  return toPage(rows.map(toCard), filter.limit, (card) => card.id);
}

/**
 * All of the integrator's cards, or those that the filter matches. All of them are selected as a range, whose order only
 * the index of each integrator's cards has: with an equality, PostgreSQL reads an account with most of the cards by the
 * index of all cards' ids, and passes over whatever others have created since.
 */
function selectListed(builder: QueryBuilder, filter: CardFilter) {
  const { statuses, cardholderId, search, metadata } = filter;
  const own = sql.placeholder("integratorId");
  return statuses || cardholderId || search || metadata
    ? selectCards(builder).where(and(eq(cards.integratorId, own), toWhere(filter)))
    : selectByCard(builder, between(cards.integratorId, own, own), toBeyond(filter, cards.id));
}

/** How many cards the filter matches from its cursor on, up to a bound. */
export async function countCards(ctx: ReadContext, filter: CardFilter): Promise<Count> {
  const [row] = await runSelect(ctx.db, {
    key: toKey("number of cards", filter),
    build: (builder) => {
      const matched = builder
        .select({ id: cards.id })
        .from(cards)
        .innerJoin(ledgerAccounts, ON_INTEGRATOR_ID_AND_ID)
        .where(and(eq(cards.integratorId, sql.placeholder("integratorId")), toWhere(filter)))
        .limit(sql.placeholder("rowsMax"))
        .as("matched");
      return builder.select({ matched: count() }).from(matched);
    },
    values: { ...toValues(ctx, filter), rowsMax: COUNTED_MAX, rowsOfStatusMax: COUNTED_MAX },
  });
  return toCount(row?.matched ?? 0);
}

/** Undefined for searches and metadata filters: their statements contain the values, because their plans depend on them. */
function toKey(name: string, filter: CardFilter): string | undefined {
  const { search, metadata, cardholderId, statuses, cursor, order } = filter;
  const [status, another] = statuses ?? [];
  const present = toPresentNames({ cardholderId, status, another, cursor });
  return search || metadata ? undefined : `${name} ${order ?? "newest"} ${present}`;
}

function toValues(ctx: ReadContext, { cardholderId, statuses, cursor }: CardFilter) {
  return {
    integratorId: ctx.actor.integratorId,
    cardholderId,
    status: statuses?.[0],
    statuses,
    cursor: requireCursor(cursor),
  };
}

/** The cursor applies to both sides of the join. Otherwise the other side would be scanned from its end to the cursor. */
function toWhere(filter: CardFilter): SQL | undefined {
  return and(
    filter.cardholderId ? eq(cards.cardholderId, sql.placeholder("cardholderId")) : undefined,
    toStatusCondition(filter),
    ...toContentConditions(filter),
    toBeyond(filter, cards.id),
    toBeyond(filter, ledgerAccounts.id),
  );
}

function toBeyond({ cursor, order }: CardFilter, id: AnyPgColumn): SQL | undefined {
  const beyond = order === "oldest" ? gt : lt;
  return cursor ? beyond(id, sql.placeholder("cursor")) : undefined;
}

/** One status is an equality, for whose rows the index keeps the order of ids. */
function toStatusCondition(filter: CardFilter): SQL | undefined {
  const { statuses, cardholderId, search, metadata } = filter;
  if (!statuses) {
    return undefined;
  }
  if (statuses.length === 1) {
    return eq(ledgerAccounts.status, sql.placeholder("status"));
  }
  return cardholderId || search || metadata
    ? sql`${ledgerAccounts.status} = any(${sql.placeholder("statuses")}::text[])`
    : toFirstOfStatuses(filter);
}

/** Selects the first rows of each status in the list's order, so that rare statuses are found as fast as common ones. */
function toFirstOfStatuses({ order, cursor }: CardFilter): SQL {
  const isOldest = order === "oldest";
  const beyond = isOldest ? gt : lt;
  return sql`${ledgerAccounts.id} in (
    select of_status.id
    from unnest(${sql.placeholder("statuses")}::text[]) as card_status
    cross join lateral (
      select ${ledgerAccounts.id} from ${ledgerAccounts}
      where ${and(
        eq(ledgerAccounts.integratorId, sql.placeholder("integratorId")),
        sql`${ledgerAccounts.status} = card_status`,
        cursor ? beyond(ledgerAccounts.id, sql.placeholder("cursor")) : undefined,
      )}
      order by ${isOldest ? asc(ledgerAccounts.id) : desc(ledgerAccounts.id)}
      limit ${sql.placeholder("rowsOfStatusMax")}
    ) as of_status)`;
}

function toContentConditions({ search, metadata }: CardFilter): (SQL | undefined)[] {
  return [
    search ? toSearchCondition(search) : undefined,
    metadata ? hasMetadata(metadata) : undefined,
  ];
}

function toSearchCondition(search: string): SQL | undefined {
  if (isId(search)) {
    return eq(cards.id, search);
  }
  const { key, value } = /^(?<key>[^=]+)=(?<value>.*)$/u.exec(search)?.groups ?? {};
  if (key !== undefined && value !== undefined) {
    return hasMetadata({ [key.trim()]: value.trim() });
  }
  return /^[0-9]{4}$/u.test(search)
    ? eq(cards.last4, search)
    : containsText(cards.cardName, search);
}

function hasMetadata(metadata: Metadata): SQL {
  // The second condition is the one of the partial index, as a literal.
  return sql`${cards.metadata} @> ${JSON.stringify(metadata)}::jsonb and ${cards.metadata} <> '{}'::jsonb`;
}

const COLUMNS = { card: cards, account: ledgerAccounts };

/** A card and its account share an id. */
const ON_INTEGRATOR_ID_AND_ID = and(
  eq(ledgerAccounts.integratorId, cards.integratorId),
  eq(ledgerAccounts.id, cards.id),
);

/** Cards with their accounts, in whichever order the planner finds them best. */
function selectCards(builder: QueryBuilder) {
  return builder.select(COLUMNS).from(cards).innerJoin(ledgerAccounts, ON_INTEGRATOR_ID_AND_ID);
}

/**
 * Cards of an integrator, and for each of them a look-up of its account, which the fence (`offset 0`) keeps the planner
 * from replacing. It knows neither how many cards a parameter names nor how many an integrator has. Where it took them for
 * few, it compared each card of a batch with each account; where for many, it sorted all accounts of an integrator for one
 * page. No condition is on the accounts: the planner would expect it to leave a single row, for which it sorts all cards.
 */
function selectByCard(builder: QueryBuilder, ofIntegratorId: SQL, where: SQL | undefined) {
  const account = builder
    .select()
    .from(ledgerAccounts)
    .where(sql`${ON_INTEGRATOR_ID_AND_ID} offset 0`)
    .as(getTableName(ledgerAccounts));
  return builder
    .select(COLUMNS)
    .from(cards)
    .innerJoinLateral(account, sql`true`)
    .where(and(ofIntegratorId, where));
}

interface CardRow {
  card: typeof cards.$inferSelect;
  account: typeof ledgerAccounts.$inferSelect;
}

function toCard({ card, account }: CardRow): Card {
  const { balance, held, status, expiresAt } = account;
  if (balance === null || held === null || status === null || expiresAt === null) {
    throw new Error(`The account of card ${card.id} is not a card's account.`);
  }
  return {
    id: card.id,
    integratorId: card.integratorId,
    cardholderId: card.cardholderId,
    cardName: card.cardName,
    firstSix: card.firstSix,
    last4: card.last4,
    cardType: "virtual",
    currency: card.currency,
    designType: card.designType,
    expiresAt,
    singleUse: card.singleUse,
    provider: card.provider,
    status,
    statusVersion: card.statusVersion,
    freeze: toFreeze(card),
    balance,
    held,
    available: balance - held,
    metadata: card.metadata,
    createdAt: card.createdAt,
    updatedAt: card.updatedAt > account.updatedAt ? card.updatedAt : account.updatedAt,
  };
}

function toFreeze(card: CardRow["card"]): Card["freeze"] {
  if (!card.frozenAt || !card.frozenBy) {
    return null;
  }
  return {
    frozenAt: card.frozenAt,
    reason: card.freezeReason,
    comment: card.freezeComment,
    actor: card.frozenBy,
  };
}
