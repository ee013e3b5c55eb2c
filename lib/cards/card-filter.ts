import { and, asc, between, desc, eq, gt, gte, lt, or, sql } from "drizzle-orm";
import type { SQL } from "drizzle-orm";
import type { AnyPgColumn } from "drizzle-orm/pg-core";
import type { CardOrder, CardStatus } from "#lib/cards/card-state.ts";
import type { Metadata } from "#lib/cards/card-metadata.ts";
import type { ReadContext } from "#lib/base/context.ts";
import { isId } from "#lib/base/ids.ts";
import { requireCursor } from "#lib/base/paging.ts";
import { toIds } from "#lib/base/period.ts";
import type { Period } from "#lib/base/period.ts";
import { matchWords } from "#lib/base/search.ts";
import { matchCard } from "#lib/record/names.ts";
import { cards } from "#db/schema/cards.ts";
import { isNamed } from "#db/schema/columns.ts";
import { cardholders, hasEmail, hasLocalPart } from "#db/schema/integrators.ts";
import { ledgerAccounts } from "#db/schema/ledger.ts";
import { toPresentNames } from "#db/compiled-select.ts";

/**
 * Which cards to list. `search` is a card's id, `key=value` of its metadata, or words in any order. Each word must
 * match part of the name on the card, its last four digits, or its cardholder's email, with or without the domain.
 * `metadata` matches cards that have all of its entries; `freezeEndsBefore`, frozen cards with a freeze that ends
 * automatically before then; `hasCover`, cards with cover outstanding.
 */
export interface CardFilter extends Period {
  metadata?: Metadata | undefined;
  cardholderId?: string | undefined;
  statuses?: readonly CardStatus[] | undefined;
  freezeEndsBefore?: Date | undefined;
  hasCover?: true | undefined;
  search?: string | undefined;
  order?: CardOrder | undefined;
  limit: number;
  page?: number | undefined;
  cursor?: string | undefined;
}

/** Undefined for searches and metadata filters: their statements contain the values, because their plans depend on them. */
export function toKey(name: string, filter: CardFilter): string | undefined {
  const { search, metadata, statuses, order, limit: _limit, page: _page, ...rest } = filter;
  const [status, another] = statuses ?? [];
  const present = toPresentNames({ status, another, ...rest });
  return search || metadata ? undefined : `${name} ${order ?? "newest"} ${present}`;
}

/** The values of a selection, by the names of its placeholders. */
export function toValues(ctx: ReadContext, filter: CardFilter) {
  const { cardholderId, statuses, freezeEndsBefore, cursor } = filter;
  return {
    integratorId: ctx.actor.integratorId,
    cardholderId,
    status: statuses?.[0],
    statuses,
    freezeEndsBefore: freezeEndsBefore?.toISOString(),
    cursor: requireCursor(cursor),
    ...toIds(filter),
  };
}

/** A card has its name, number, and metadata in one table, and its status and balance in the other. They share an id. */
export type CardHalf = typeof cards | typeof ledgerAccounts;

/** How to select the cards that a filter matches. */
export interface Selection {
  /** The half whose index has the rows in the order of the list. */
  from: CardHalf;
  where: SQL | undefined;
  /** The filter's condition on the other half. */
  whereOther?: SQL | undefined;
}

/**
 * Chooses the half of a card to select from, and the conditions. All of an integrator's cards are selected as a range,
 * because only the index that leads with the integrator has a range's order. With an equality, PostgreSQL would read an
 * integrator that has most of the cards by the index of all ids, and skip every card that others have created since.
 */
export function toSelection(filter: CardFilter): Selection {
  const own = sql.placeholder("integratorId");
  const content = toContentCondition(filter);
  const state = toStateCondition(filter);
  if (!state) {
    const ofIntegrator = content
      ? eq(cards.integratorId, own)
      : between(cards.integratorId, own, own);
    return { from: cards, where: and(ofIntegrator, content, toRange(filter, cards.id)) };
  }
  if (!content) {
    const ofIntegrator = eq(ledgerAccounts.integratorId, own);
    return {
      from: ledgerAccounts,
      where: and(ofIntegrator, state, toRange(filter, ledgerAccounts.id)),
    };
  }
  return {
    // The side whose index serves the rest of the filter.
    from: filter.cardholderId ? cards : ledgerAccounts,
    where: and(eq(cards.integratorId, own), content, toRange(filter, cards.id)),
    // The range applies to both sides of the join. Otherwise the other side would be scanned from its end to the cursor.
    whereOther: and(state, toRange(filter, ledgerAccounts.id)),
  };
}

/** The condition of the filter's period and cursor. */
function toRange({ cursor, order, from, to }: CardFilter, id: AnyPgColumn): SQL | undefined {
  const beyond = order === "oldest" ? gt : lt;
  return and(
    from ? gte(id, sql.placeholder("from")) : undefined,
    to ? lt(id, sql.placeholder("to")) : undefined,
    cursor ? beyond(id, sql.placeholder("cursor")) : undefined,
  );
}

/** The filter's condition on the card's account. */
function toStateCondition(filter: CardFilter): SQL | undefined {
  const ends = filter.freezeEndsBefore
    ? sql`${ledgerAccounts.freezeDueAt} < ${sql.placeholder("freezeEndsBefore")}::timestamptz`
    : undefined;
  return and(toStatusCondition(filter), ends);
}

/** A single status is an equality, because the index then returns rows in the order of ids. */
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
function toFirstOfStatuses(filter: CardFilter): SQL {
  const isOldest = filter.order === "oldest";
  return sql`${ledgerAccounts.id} in (
    select of_status.id
    from unnest(${sql.placeholder("statuses")}::text[]) as card_status
    cross join lateral (
      select ${ledgerAccounts.id} from ${ledgerAccounts}
      where ${and(
        eq(ledgerAccounts.integratorId, sql.placeholder("integratorId")),
        sql`${ledgerAccounts.status} = card_status`,
        toRange(filter, ledgerAccounts.id),
      )}
      order by ${isOldest ? asc(ledgerAccounts.id) : desc(ledgerAccounts.id)}
      limit ${sql.placeholder("rowsOfStatusMax")}
    ) as of_status)`;
}

/** The filter's condition on the card itself. */
function toContentCondition(filter: CardFilter): SQL | undefined {
  const { cardholderId, hasCover, search, metadata } = filter;
  return and(
    hasCover ? sql`cover_outstanding > 0` : undefined,
    cardholderId ? eq(cards.cardholderId, sql.placeholder("cardholderId")) : undefined,
    search ? toSearchCondition(search) : undefined,
    metadata ? hasMetadata(metadata) : undefined,
  );
}

function toSearchCondition(search: string): SQL | undefined {
  if (isId(search)) {
    return eq(cards.id, search);
  }
  const { key, value } = /^(?<key>[^=]+)=(?<value>.*)$/u.exec(search)?.groups ?? {};
  if (key !== undefined && value !== undefined) {
    return hasMetadata({ [key.trim()]: value.trim() });
  }
  return matchWords(search, (word, isIn) =>
    word.includes("@")
      ? isOfHolder(hasEmail(word))
      : or(matchCard(word, isIn), isOfHolder(hasLocalPart(word))),
  );
}

/**
 * @param condition must be one that few cardholders meet. A condition on part of an email could match any number of
 * them.
 */
function isOfHolder(condition: SQL): SQL {
  const isHolder = and(eq(cardholders.integratorId, sql.placeholder("integratorId")), condition);
  const holders = sql`array(select ${cardholders.id} from ${cardholders} where ${isHolder})`;
  return sql`${isNamed(cards.cardholderId)} and ${cards.cardholderId} = any(${holders})`;
}

function hasMetadata(metadata: Metadata): SQL {
  // The second condition is the one of the partial index, as a literal.
  return sql`${cards.metadata} @> ${JSON.stringify(metadata)}::jsonb and ${cards.metadata} <> '{}'::jsonb`;
}
