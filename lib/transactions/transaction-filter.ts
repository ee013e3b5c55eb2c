import { and, eq, gte, lt, lte, sql } from "drizzle-orm";
import type { Placeholder, SQL } from "drizzle-orm";
import { matchText } from "#lib/base/search.ts";
import { toSearchCondition } from "#lib/transactions/internal/transaction-search.ts";
import type { CardsOfWords } from "#lib/transactions/searched-cards.ts";
import type { DeclineReason } from "#lib/transactions/decline-rules.ts";
import type {
  CoverSource,
  PostedWithoutApproval,
  TransactionStatus,
  TransactionType,
} from "#lib/transactions/transaction-kinds.ts";
import { cards } from "#db/schema/cards.ts";
import { isNamed } from "#db/schema/columns.ts";
import { toSearchedText } from "#db/schema/searched-text.ts";
import { SPEND_CATEGORY, SPEND_COUNTRY, SPEND_MERCHANT } from "#db/schema/spend.ts";
import { transactions } from "#db/schema/transactions.ts";
import { UNNAMED_MERCHANT } from "#db/schema/unknown-spend.ts";

/**
 * Which transactions to list. `from` is inclusive, `to` is exclusive, and both amounts are inclusive. `search` is an
 * id, or words in any order: each is part of a narrative, of a merchant's name, of a decline reason, or of the name
 * on the card, its last four digits, or an amount (`1234`, `12.34`, `$12.34`).
 */
export interface TransactionFilter {
  cardId?: string | undefined;
  cardholderId?: string | undefined;
  types?: readonly TransactionType[] | undefined;
  statuses?: readonly TransactionStatus[] | undefined;
  declineReasons?: readonly DeclineReason[] | undefined;
  postedAs?: readonly PostedWithoutApproval[] | undefined;
  /** Purchases to which one of these sources has paid. */
  covered?: readonly CoverSource[] | undefined;
  /** The merchant category of purchases, refunds, and verifications, or `UNKNOWN_SPEND`; `country` likewise. */
  mcc?: string | undefined;
  country?: string | undefined;
  /** The merchant's name, trimmed, or `UNNAMED_MERCHANT`. */
  merchant?: string | undefined;
  /** Purchases and refunds that posted from this time on, and before that one. */
  postedFrom?: Date | undefined;
  postedTo?: Date | undefined;
  amountMin?: number | undefined;
  amountMax?: number | undefined;
  from?: Date | undefined;
  to?: Date | undefined;
  search?: string | undefined;
  /** The cards that its words may mean; absent for a caller who may not read cards. */
  searchedCards?: CardsOfWords | undefined;
  limit: number;
  cursor?: string | undefined;
}

/** Selects at least the newest `rowsOfKindMax` rows that match. */
export function toWhere(filter: TransactionFilter): SQL | undefined {
  if (filter.cardholderId) {
    return toNewestOfCardholder(toConditions(filter));
  }
  return filtersByTimeOnly(filter) ? toNewest(filter) : toConditions(filter);
}

/** Selects by kinds, reasons, and times alone. */
function toNewest(filter: TransactionFilter): SQL | undefined {
  const { types, statuses, declineReasons, ...others } = filter;
  if (others.postedFrom ?? others.postedTo) {
    return toNewestPosted(toConditions(filter));
  }
  const hasKinds = types !== undefined || statuses !== undefined;
  if (hasKinds === (declineReasons !== undefined)) {
    return toConditions(filter);
  }
  return hasKinds ? toNewestOfKinds(toConditions(others)) : toNewestOfReasons(toConditions(others));
}

function toConditions(filter: TransactionFilter): SQL | undefined {
  const { search, searchedCards, postedFrom, postedTo } = filter;
  /** The condition, where the filter has this member. */
  const where = (name: keyof TransactionFilter, toCondition: (value: Placeholder) => SQL) =>
    filter[name] === undefined || filter[name] === ""
      ? undefined
      : toCondition(sql.placeholder(name));
  return and(
    eq(transactions.integratorId, sql.placeholder("integratorId")),
    where("cardId", (cardId) => eq(transactions.cardId, cardId)),
    where("types", (types) => sql`${transactions.type} = any(${types}::text[])`),
    where("statuses", (statuses) => sql`${transactions.status} = any(${statuses}::text[])`),
    where("from", (from) => gte(transactions.id, from)),
    where("to", (to) => lt(transactions.id, to)),
    where("postedFrom", (from) => sql`${transactions.settledAt} >= ${from}::timestamptz`),
    where("postedTo", (to) => sql`${transactions.settledAt} < ${to}::timestamptz`),
    // A row is older than its posting, so indexes that end with the id skip what is newer than the period.
    postedTo && lt(transactions.id, sql.placeholder("postedToId")),
    postedFrom || postedTo ? isNamed(SPEND_CATEGORY) : undefined,
    filter.merchant ? atMerchant(filter.merchant) : undefined,
    // Each of these filters has its own index.
    where("mcc", (mcc) => sql`${SPEND_CATEGORY} = ${mcc}`),
    where("country", (country) => sql`${SPEND_COUNTRY} = ${country}`),
    where(
      "declineReasons",
      (reasons) => sql`${transactions.declineReason} = any(${reasons}::text[])`,
    ),
    where(
      "postedAs",
      (postedAs) =>
        sql`${transactions.postedAs} = any(${postedAs}::text[]) and ${transactions.postedAs} <> 'authorized'`,
    ),
    where(
      "covered",
      (sources) => sql`${transactions.coveredFloat} is not null
        and (('float' = any(${sources}::text[]) and ${transactions.coveredFloat} > 0)
          or ('deficit' = any(${sources}::text[]) and ${transactions.coveredDeficit} > 0))`,
    ),
    where("amountMin", (amountMin) => gte(transactions.amount, amountMin)),
    where("amountMax", (amountMax) => lte(transactions.amount, amountMax)),
    search ? toSearchCondition(search, searchedCards) : undefined,
    where("cursor", (cursor) => lt(transactions.id, cursor)),
  );
}

/**
 * Matches the merchant's exact name. The index of searches finds the rows that contain it, unless it is a stand-in. Inside
 * `coalesce`, the comparison does not make the planner take every name for a rare one.
 */
function atMerchant(name: string): SQL | undefined {
  return and(
    name === UNNAMED_MERCHANT ? undefined : matchText(toSearchedText(transactions), name),
    sql`coalesce(${SPEND_MERCHANT} = ${name}, false)`,
  );
}

/** Whether only kinds, reasons, and times restrict the rows. An index then returns each kind or reason in order. */
function filtersByTimeOnly(filter: TransactionFilter): boolean {
  const { cardId, search, amountMin, amountMax, postedAs, covered, mcc, country, merchant } =
    filter;
  const isRare = [postedAs, covered, mcc, country, merchant].some((each) => each !== undefined);
  return !cardId && !search && !isRare && amountMin === undefined && amountMax === undefined;
}

/**
 * Selects the newest rows of each requested kind, a kind being a type with a status. The index returns each kind in
 * order, so a rare kind is found as fast as a common one.
 */
function toNewestOfKinds(conditions: SQL | undefined): SQL {
  return sql`${transactions.id} in (
    select newest.id
    from unnest(${sql.placeholder("types")}::text[]) as kind_type
    cross join unnest(${sql.placeholder("statuses")}::text[]) as kind_status
    cross join lateral (
      select ${transactions.id} from ${transactions}
      where ${transactions.type} = kind_type and ${transactions.status} = kind_status and ${conditions}
      order by ${transactions.id} desc limit ${sql.placeholder("rowsOfKindMax")}
    ) as newest)`;
}

/** Selects the newest rows of each requested reason, for the same purpose. */
function toNewestOfReasons(conditions: SQL | undefined): SQL {
  return sql`${transactions.id} in (
    select newest.id
    from unnest(${sql.placeholder("declineReasons")}::text[]) as reason
    cross join lateral (
      select ${transactions.id} from ${transactions}
      where ${transactions.declineReason} = reason and ${conditions}
      order by ${transactions.id} desc limit ${sql.placeholder("rowsOfKindMax")}
    ) as newest)`;
}

/**
 * Selects the newest rows that posted within a period. A row may be much older than its posting, so this reads the
 * index of categories, which contains when each row posted. The fence (`offset 0`) hides the order from the planner,
 * which would otherwise read the rows themselves.
 */
function toNewestPosted(conditions: SQL | undefined): SQL {
  return sql`${transactions.id} in (
    select posted.id
    from (select ${transactions.id} from ${transactions} where ${conditions} offset 0) as posted
    order by posted.id desc limit ${sql.placeholder("rowsOfKindMax")})`;
}

/** Selects the newest rows of each of the cardholder's cards. No index has the rows of several cards in one order. */
function toNewestOfCardholder(conditions: SQL | undefined): SQL {
  return sql`${transactions.id} in (
    select newest.id
    from ${cards} as card
    cross join lateral (
      select ${transactions.id} from ${transactions}
      where ${transactions.cardId} = card.id and ${conditions}
      order by ${transactions.id} desc limit ${sql.placeholder("rowsOfKindMax")}
    ) as newest
    where card.integrator_id = ${sql.placeholder("integratorId")}
      and card.cardholder_id = ${sql.placeholder("cardholderId")})`;
}
