import type { Metadata } from "next";
import { toId } from "../../ui/search-params.ts";
import { personalPage } from "../../page/personal-page.tsx";
import { LiveAccount } from "../../client/live-account.tsx";
import { Inspector } from "../../inspector/inspector.tsx";
import { toCardOptions } from "../../list/card-options.ts";
import type { Names } from "../../list/field.ts";
import { LIST_ROWS, isFiltered, readListQuery, toLook } from "../../list/list.ts";
import type { ListQueryOf, Search } from "../../list/list.ts";
import { ListPanel } from "../../list/list-panel.tsx";
import { NothingFound } from "../../list/nothing-found.tsx";
import { Empty } from "../../ui/empty.tsx";
import { LinkButton } from "../../ui/link-button.tsx";
import { PageHeader } from "../../ui/page-header.tsx";
import { toMoments } from "../../ui/day-range.ts";
import { inspectTransaction } from "./inspect-transaction.tsx";
import { TRANSACTIONS } from "./transactions-list.ts";
import { TransactionsTable } from "./transactions-table.tsx";
import type { TransactionRow } from "./transactions-columns.tsx";
import { toSpendCategoryName, toSpendCountryName } from "../../transaction/spend-names.ts";
import { toMerchantMoney, toTransactionTitle } from "../../transaction/transaction-words.ts";
import { readAs } from "#lib/auth/page-session.ts";
import { findCards } from "#lib/cards/card-reads.ts";
import type { Card } from "#lib/cards/card-resource.ts";
import { readNames } from "#lib/record/names.ts";
import { POSTED_WITHOUT_APPROVAL } from "#lib/transactions/transaction-kinds.ts";
import type { PostedWithoutApproval } from "#lib/transactions/transaction-kinds.ts";
import type { StaffSession } from "#lib/staff/staff-sessions.ts";
import { findCardsOfWords } from "#lib/transactions/searched-cards.ts";
import { countTransactions, listTransactions } from "#lib/transactions/transactions.ts";
import type { Transaction } from "#lib/transactions/transactions.ts";

export const metadata: Metadata = { title: "Transactions" };

export default personalPage(TransactionsPage);

async function TransactionsPage(
  session: StaffSession,
  { searchParams }: { searchParams: Promise<Search> },
) {
  const listQuery = readListQuery(TRANSACTIONS, await searchParams);
  const { page, left, cards, holders } = await readPage(session, listQuery);
  const open = toId(listQuery.given["open"]);
  const record =
    open === undefined ? null : await inspectTransaction(open, session.actor.staff.role);
  return (
    <>
      <LiveAccount />
      <PageHeader
        description="Every purchase, refund, and transfer on your cards, including declines."
        title="Transactions"
      />
      <Inspector ids={page.rows.map(({ id }) => id)} record={record}>
        <ListPanel
          listQuery={listQuery}
          label="Transactions"
          left={left}
          names={{ ...toNames(listQuery.values, cards), user_id: holders }}
          page={page}
          session={session}
        >
          <TransactionsTable
            empty={isFiltered(listQuery) ? <NothingFound list={TRANSACTIONS} /> : <NothingYet />}
            look={toLook(listQuery)}
            transactions={page.rows.map((transaction) =>
              toRow(transaction, cards.get(transaction.cardId)),
            )}
          />
        </ListPanel>
      </Inspector>
    </>
  );
}

function readPage(session: StaffSession, { values, cursor }: ListQueryOf<typeof TRANSACTIONS>) {
  return readAs(session, async (ctx) => {
    const posted = toMoments({ from: values.posted_from, to: values.posted_to }, session.timeZone);
    const query = {
      ...toMoments(values, session.timeZone),
      cardId: values.card_id,
      cardholderId: values.user_id,
      types: values.type && [values.type],
      statuses: values.status && [values.status],
      declineReasons: values.decline_reason && [values.decline_reason],
      postedAs: toPostedAs(values.posted_as),
      mcc: values.mcc,
      country: values.country,
      merchant: values.merchant,
      postedFrom: posted.from,
      postedTo: posted.to,
      amountMin: toAmount(values.amount_min),
      amountMax: toAmount(values.amount_max),
      search: values.search,
      searchedCards: await findCardsOfWords((read) => read(ctx), values.search),
      limit: LIST_ROWS,
      cursor,
    };
    const [page, left] = await Promise.all([
      listTransactions(ctx, query),
      countTransactions(ctx, query),
    ]);
    const ids = [...page.rows.map(({ cardId }) => cardId), values.card_id ?? []].flat();
    const [found, holders] = await Promise.all([
      findCards(ctx.db, ctx.actor.integratorId, ids),
      readNames(ctx, values.user_id ? [{ type: "cardholder", id: values.user_id }] : []),
    ]);
    return {
      page,
      left,
      cards: new Map(found.map((card) => [card.id, card])),
      holders: [...holders].map(([id, name]) => ({ id, name })),
    };
  });
}

/** The names of the records that the list is filtered by. */
function toNames(
  { card_id: cardId, mcc, country }: ListQueryOf<typeof TRANSACTIONS>["values"],
  cards: ReadonlyMap<string, Card>,
): Names {
  return {
    card_id: toCardOptions(cards.get(cardId ?? "")),
    mcc: mcc === undefined ? [] : [{ id: mcc, name: toSpendCategoryName(mcc) }],
    country: country === undefined ? [] : [{ id: country, name: toSpendCountryName(country) }],
  };
}

function toPostedAs(postedAs: PostedWithoutApproval | "any" | undefined) {
  return postedAs === "any" ? POSTED_WITHOUT_APPROVAL : postedAs && [postedAs];
}

function toAmount(minorUnits: string | undefined): number | undefined {
  return minorUnits === undefined ? undefined : Number(minorUnits);
}

function NothingYet() {
  return (
    <Empty action={<LinkButton href="/cards">Go to cards</LinkButton>} title="No transactions yet">
      Purchases and transfers to and from the float appear here.
    </Empty>
  );
}

function toRow(transaction: Transaction, card: Card | undefined): TransactionRow {
  const { id, narrative, merchant, type, status, createdAt, settledAt } = transaction;
  const { amount, currency, cardBalanceBefore, cardBalanceAfter } = transaction;
  const title = toTransactionTitle(transaction);
  const name = merchant?.name ?? narrative ?? title;
  const about = [title, narrative].filter((part) => part !== null && part !== name).join(" · ");
  return {
    id,
    name,
    about,
    card: card ? { cardName: card.cardName, last4: card.last4 } : null,
    type,
    status,
    merchantMoney: toMerchantMoney(transaction),
    createdAt: createdAt.toISOString(),
    settledAt: settledAt?.toISOString() ?? null,
    amount,
    currency,
    cardBalanceBefore,
    cardBalanceAfter,
  };
}
