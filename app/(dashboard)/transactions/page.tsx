import type { Metadata } from "next";
import { toId } from "../../ui/search-params.ts";
import type { Param } from "../../ui/search-params.ts";
import { personalPage } from "../../page/personal-page.tsx";
import { LiveAccount } from "../../client/live-account.tsx";
import { Inspector } from "../../inspector/inspector.tsx";
import { DateRanges } from "../../ui/date-ranges.tsx";
import { Empty } from "../../ui/empty.tsx";
import { ExportCsv } from "../../client/export-csv.tsx";
import { FilterChips } from "../../ui/filter-chips.tsx";
import { IgnoredFilters } from "../../ui/ignored-filters.tsx";
import { LinkButton } from "../../ui/link-button.tsx";
import { PageHeader } from "../../ui/page-header.tsx";
import { Pager, toHref } from "../../ui/pager.tsx";
import { toQuery } from "../../ui/day-range.ts";
import { toFilter } from "./filter.ts";
import type { Filter, FilterName } from "./filter.ts";
import { toFilterWords } from "./filter-words.ts";
import { inspectTransaction } from "./inspect-transaction.tsx";
import { TransactionFilters } from "./transaction-filters.tsx";
import { TransactionsTable } from "./transactions-table.tsx";
import type { TransactionRow } from "./transactions-table.tsx";
import { toMerchantMoney, toTransactionTitle } from "../../transaction/transaction-words.ts";
import { readAs } from "#lib/auth/page-session.ts";
import { findCards } from "#lib/cards/card-reads.ts";
import type { Card } from "#lib/cards/card-resource.ts";
import { POSTED_WITHOUT_APPROVAL } from "#lib/transactions/transaction-kinds.ts";
import type { StaffSession } from "#lib/staff/staff-sessions.ts";
import { findCardsOfWords } from "#lib/transactions/searched-cards.ts";
import { countTransactions, listTransactions } from "#lib/transactions/transactions.ts";
import type { Transaction } from "#lib/transactions/transactions.ts";

export const metadata: Metadata = { title: "Transactions" };

const ROWS = 50;
const PATH = "/transactions";

type Search = Readonly<Partial<Record<FilterName | "cursor" | "open", Param>>>;

export default personalPage(TransactionsPage);

async function TransactionsPage(
  session: StaffSession,
  {
    searchParams,
  }: {
    searchParams: Promise<Search>;
  },
) {
  const search = await searchParams;
  const filter = toFilter(search);
  const cursor = toId(search.cursor);
  const { page, left, cards } = await readPage(session, filter, cursor);
  const open = toId(search.open);
  const record =
    open === undefined ? null : await inspectTransaction(open, session.actor.staff.role);
  const isFiltered = Object.values(filter).some((value) => value !== undefined);
  return (
    <>
      <LiveAccount />
      <PageHeader
        description="Every purchase, refund, and transfer on your cards, including declines."
        title="Transactions"
      />
      <Inspector ids={page.rows.map(({ id }) => id)} record={record}>
        <section
          aria-label="Transactions"
          className="border-border bg-surface min-w-0 overflow-clip rounded-lg border"
        >
          <div className="flex min-h-14 flex-wrap items-center gap-2 px-4 py-2">
            <TransactionFilters
              currency={session.currency}
              dates={<DateRanges filter={filter} path={PATH} timeZone={session.timeZone} />}
              filter={filter}
            />
            <ExportCsv
              href={toHref("/api/exports/transactions", toQuery(filter, session.timeZone))}
            />
          </div>
          <IgnoredFilters given={{ ...search }} used={{ ...filter }} />
          <FilterChips
            clearHref={toHref(PATH, { search: filter.search })}
            filter={{ ...filter }}
            path={PATH}
            words={toFilterWords(filter, cards.get(filter.card_id ?? ""), session.currency)}
          />
          <TransactionsTable
            empty={<Nothing isFiltered={isFiltered} />}
            transactions={page.rows.map((transaction) =>
              toRow(transaction, cards.get(transaction.cardId)),
            )}
          />
          <Pager
            range={{ shown: page.rows.length, left }}
            firstHref={cursor ? toHref(PATH, { ...filter }) : null}
            nextHref={page.nextCursor && toHref(PATH, { ...filter, cursor: page.nextCursor })}
          />
        </section>
      </Inspector>
    </>
  );
}

function toPostedAs(postedAs: Filter["posted_as"]) {
  return postedAs === "any" ? POSTED_WITHOUT_APPROVAL : postedAs && [postedAs];
}

function readPage(session: StaffSession, filter: Filter, cursor: string | undefined) {
  const { from, to } = toQuery(filter, session.timeZone);
  return readAs(session, async (ctx) => {
    const query = {
      cardId: filter.card_id,
      types: filter.type && [filter.type],
      statuses: filter.status && [filter.status],
      declineReasons: filter.decline_reason && [filter.decline_reason],
      postedAs: toPostedAs(filter.posted_as),
      amountMin: filter.amount_min === undefined ? undefined : Number(filter.amount_min),
      amountMax: filter.amount_max === undefined ? undefined : Number(filter.amount_max),
      from: from === undefined ? undefined : new Date(from),
      to: to === undefined ? undefined : new Date(to),
      search: filter.search,
      searchedCards: await findCardsOfWords((read) => read(ctx), filter.search),
      limit: ROWS,
      cursor,
    };
    const [page, left] = await Promise.all([
      listTransactions(ctx, query),
      countTransactions(ctx, query),
    ]);
    const ids = [...page.rows.map(({ cardId }) => cardId), filter.card_id ?? []].flat();
    const found = await findCards(ctx.db, ctx.actor.integratorId, ids);
    return { page, left, cards: new Map(found.map((card) => [card.id, card])) };
  });
}

function Nothing({ isFiltered }: { isFiltered: boolean }) {
  return isFiltered ? (
    <Empty
      action={<LinkButton href={PATH}>Show all transactions</LinkButton>}
      title="No transactions found"
    >
      No transactions match these filters. Search covers narratives, merchants, decline reasons,
      names on cards, last four digits, amounts, and IDs.
    </Empty>
  ) : (
    <Empty action={<LinkButton href="/cards">Go to cards</LinkButton>} title="No transactions yet">
      Purchases and transfers to and from the float appear here.
    </Empty>
  );
}

function toRow(transaction: Transaction, card: Card | undefined): TransactionRow {
  const { id, narrative, merchant, type, status, createdAt } = transaction;
  const { amount, currency, cardBalanceBefore, cardBalanceAfter } = transaction;
  const title = toTransactionTitle(transaction);
  const name = merchant?.name ?? narrative ?? title;
  const about = [title, narrative].filter((part) => part !== null && part !== name).join(" · ");
  return {
    id,
    name,
    title,
    about,
    card: card ? { cardName: card.cardName, last4: card.last4 } : null,
    type,
    status,
    merchantMoney: toMerchantMoney(transaction),
    createdAt: createdAt.toISOString(),
    amount,
    currency,
    cardBalanceBefore,
    cardBalanceAfter,
  };
}
