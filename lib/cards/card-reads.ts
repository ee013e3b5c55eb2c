import { and, asc, count, desc, eq, getTableName, sql } from "drizzle-orm";
import type { SQL } from "drizzle-orm";
import type { QueryBuilder, SelectedFields } from "drizzle-orm/pg-core";
import { toKey, toSelection, toValues } from "#lib/cards/card-filter.ts";
import type { CardFilter, CardHalf, Selection } from "#lib/cards/card-filter.ts";
import type { Card, Freeze } from "#lib/cards/card-resource.ts";
import { readLimitUses } from "#lib/cards/limit-uses.ts";
import { toCardControls } from "#lib/cards/spending-controls.ts";
import type { SpendingControls } from "#lib/cards/spending-controls.ts";
import { toDeadlineTime } from "#lib/base/deadline-clock.ts";
import { FREEZE_LEVELS } from "#lib/cards/card-state.ts";
import { afterEnds, toFreezes, toNextEnd } from "#lib/cards/freezes.ts";
import { fromStoredFreeze } from "#lib/cards/stored-freezes.ts";
import type { ReadContext } from "#lib/base/context.ts";
import { notFound } from "#lib/base/errors.ts";
import { isId } from "#lib/base/ids.ts";
import { STATEMENT_MICROS, toMomentOf } from "#lib/base/moment.ts";
import { COUNTED_MAX, toCount, toPage } from "#lib/base/paging.ts";
import type { Count, Page } from "#lib/base/paging.ts";
import { cards } from "#db/schema/cards.ts";
import type { StoredFreezes } from "#db/schema/cards.ts";
import { integrators } from "#db/schema/integrators.ts";
import { ledgerAccounts } from "#db/schema/ledger.ts";
import { runSelect } from "#db/compiled-select.ts";
import type { Db } from "#db/client.ts";
import type { Tx } from "#db/transaction.ts";

/**
 * The card as it is by the integrator's clock: without a freeze that has ended, even if that has not been written yet.
 * @throws DomainError `card_not_found`, also for another integrator's card.
 */
export function getCard(ctx: ReadContext, id: string): Promise<Card> {
  return readCard((statement) => statement(ctx), id);
}

/** Runs one statement. */
type Read = <T>(statement: (ctx: ReadContext) => Promise<T>) => Promise<T>;

/** As `getCard`, with a single statement unless the card has spending limits or a freeze with an end. */
export async function readCard(read: Read, id: string): Promise<Card> {
  const [card] = isId(id)
    ? await read(({ db, actor }) => findCards(db, actor.integratorId, [id]))
    : [];
  if (!card) {
    throw notFound("card_not_found");
  }
  return isTimed(card) ? judge(read, card) : card;
}

/** Whether the state of a card depends on the current time. */
function isTimed(card: Card): boolean {
  return toNextEnd(card) !== null || (card.spendingControls?.spending_limits.length ?? 0) > 0;
}

async function judge(read: Read, card: Card): Promise<Card> {
  const known = await read((ctx) => readClock(ctx, card.id));
  if (!known) {
    return card;
  }
  const { at, uses, timeZone } = known;
  const limitUses = await read(({ db, actor }) =>
    readLimitUses(db, {
      integratorId: actor.integratorId,
      cardId: card.id,
      limits: card.spendingControls?.spending_limits ?? [],
      uses,
      timeZone,
      now: toDeadlineTime(known, at),
    }),
  );
  return { ...afterEnds(card, known, at), limitUses };
}

/** Reads the clock of a card, and its last known uses of its limits. */
async function readClock({ db, actor }: ReadContext, cardId: string) {
  const [row] = await db
    .select({
      clockOffsetS: integrators.clockOffsetS,
      timeZone: integrators.timeZone,
      uses: ledgerAccounts.limitUses,
      micros: sql<number>`${STATEMENT_MICROS}`,
    })
    .from(integrators)
    .innerJoin(ledgerAccounts, eq(ledgerAccounts.integratorId, integrators.id))
    .where(and(eq(integrators.id, actor.integratorId), eq(ledgerAccounts.id, cardId)));
  return row && { ...row, at: toMomentOf(db, row.micros).at };
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
      selectEach(
        builder,
        cards,
        and(
          eq(cards.integratorId, sql.placeholder("integratorId")),
          sql`${cards.id} = any(${sql.placeholder("ids")}::uuid[])`,
        ),
      ),
    values: { integratorId, ids: [...new Set(ids)] },
  });
  return rows.map(toCard);
}

/** The integrator's cards, newest first unless the filter says otherwise. */
export async function listCards(ctx: ReadContext, filter: CardFilter): Promise<Page<Card>> {
  const rowsBefore = ((filter.page ?? 1) - 1) * filter.limit;
  const rows = await runSelect(ctx.db, {
    key: toKey("cards", filter),
    build: (builder) => {
      const selection = toSelection(filter);
      const { from } = selection;
      return selectListed(builder, selection)
        .orderBy(...[from.integratorId, from.id].map(filter.order === "oldest" ? asc : desc))
        .limit(sql.placeholder("rowsMax"))
        .offset(sql.placeholder("rowsBefore"));
    },
    values: {
      ...toValues(ctx, filter),
      rowsMax: filter.limit + 1,
      rowsBefore,
      rowsOfStatusMax: rowsBefore + filter.limit + 1,
    },
  });
  return toPage(rows.map(toCard), filter.limit, (card) => card.id);
}

/** The ids of the cards that the filter matches, newest first: up to one more than its limit. */
export async function findCardIds(ctx: ReadContext, filter: CardFilter): Promise<string[]> {
  const rows = await runSelect(ctx.db, {
    key: toKey("ids of cards", filter),
    build: (builder) => {
      const selection = toSelection(filter);
      return selectMatched(builder, selection)
        .orderBy(desc(selection.from.id))
        .limit(sql.placeholder("rowsMax"));
    },
    values: {
      ...toValues(ctx, filter),
      rowsMax: filter.limit + 1,
      rowsOfStatusMax: filter.limit + 1,
    },
  });
  return rows.map(({ id }) => id);
}

/** How many cards the filter matches from its cursor on, up to a bound. */
export async function countCards(ctx: ReadContext, filter: CardFilter): Promise<Count> {
  const [row] = await runSelect(ctx.db, {
    key: toKey("number of cards", filter),
    build: (builder) => {
      const matched = selectMatched(builder, toSelection(filter))
        .limit(sql.placeholder("rowsMax"))
        .as("matched");
      return builder.select({ matched: count() }).from(matched);
    },
    values: { ...toValues(ctx, filter), rowsMax: COUNTED_MAX, rowsOfStatusMax: COUNTED_MAX },
  });
  return toCount(row?.matched ?? 0);
}

const COLUMNS = {
  card: cards,
  account: {
    balance: ledgerAccounts.balance,
    held: ledgerAccounts.held,
    status: ledgerAccounts.status,
    expiresAt: ledgerAccounts.expiresAt,
    updatedAt: ledgerAccounts.updatedAt,
    spendingControls: ledgerAccounts.spendingControls,
    // Refers to the integrator by the parameter, not by the row, so that PostgreSQL reads it once per statement.
    defaultControls: sql<SpendingControls | null>`(
      select i.spending_controls from integrators i where i.id = ${sql.placeholder("integratorId")}
    )`,
  },
};

/** A card and its account share an id. */
const ON_INTEGRATOR_ID_AND_ID = and(
  eq(ledgerAccounts.integratorId, cards.integratorId),
  eq(ledgerAccounts.id, cards.id),
);

/** Selected cards, with their accounts. */
function selectListed(builder: QueryBuilder, { from, where, whereOther }: Selection) {
  return whereOther
    ? selectJoined(builder, COLUMNS).where(and(where, whereOther))
    : selectEach(builder, from, where);
}

/** The ids of selected cards, for counting them. */
function selectMatched(builder: QueryBuilder, { from, where, whereOther }: Selection) {
  return whereOther
    ? selectJoined(builder, { id: cards.id }).where(and(where, whereOther))
    : builder.select({ id: from.id }).from(from).where(where);
}

/** Joins both halves of each card in whatever order the planner prefers. */
function selectJoined<Columns extends SelectedFields>(builder: QueryBuilder, columns: Columns) {
  return builder.select(columns).from(cards).innerJoin(ledgerAccounts, ON_INTEGRATOR_ID_AND_ID);
}

/**
 * Selects cards or accounts, and looks up the other half of each. The fence (`offset 0`) keeps the planner from
 * replacing the look-ups: it knows neither how many cards a parameter names nor how many an integrator has. When it
 * expected few, it compared each card of a batch with each account. When it expected many, it sorted all of an
 * integrator's accounts for one page, or read the cards of all integrators for a status that none has. Put no condition
 * on the other half: the planner would then expect a single row, and sort all of them to find it.
 */
function selectEach(builder: QueryBuilder, from: CardHalf, where: SQL | undefined) {
  const other = from === cards ? ledgerAccounts : cards;
  const lookedUp = builder
    .select()
    .from(other)
    .where(sql`${ON_INTEGRATOR_ID_AND_ID} offset 0`)
    .as(getTableName(other));
  return builder
    .select(COLUMNS)
    .from(from)
    .innerJoinLateral(lookedUp, sql`true`)
    .where(where);
}

interface CardRow {
  card: typeof cards.$inferSelect;
  account: Pick<
    typeof ledgerAccounts.$inferSelect,
    Exclude<keyof (typeof COLUMNS)["account"], "defaultControls">
  > & { defaultControls: SpendingControls | null };
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
    validityDays: card.validityDays,
    replaces: card.replaces,
    replacedBy: card.replacedBy,
    statusVersion: card.statusVersion,
    ...toFreezes(readFreezes(card.freezes ?? {})),
    status,
    balance,
    held,
    available: balance - held,
    coverOutstanding: card.coverOutstanding,
    ...toCardControls(account.spendingControls, account.defaultControls),
    limitUses: null,
    metadata: card.metadata,
    createdAt: card.createdAt,
    updatedAt: card.updatedAt > account.updatedAt ? card.updatedAt : account.updatedAt,
  };
}

function readFreezes(stored: StoredFreezes): Freeze[] {
  return FREEZE_LEVELS.flatMap((level) => {
    const freeze = stored[level];
    return freeze ? fromStoredFreeze(level, freeze) : [];
  });
}
