import { Plus } from "lucide-react";
import type { Metadata } from "next";
import { toId } from "../../ui/search-params.ts";
import { personalPage } from "../../page/personal-page.tsx";
import { Live } from "../../client/live.tsx";
import { LiveAccount } from "../../client/live-account.tsx";
import { Inspector } from "../../inspector/inspector.tsx";
import { ListBar } from "../../list/list-bar.tsx";
import { ListNotes } from "../../list/list-notes.tsx";
import { ListPager } from "../../list/list-pager.tsx";
import { ListViews } from "../../list/list-views.tsx";
import { LIST_ROWS, isFiltered, readListQuery, toLook } from "../../list/list.ts";
import type { ListQueryOf, Search } from "../../list/list.ts";
import { NothingFound } from "../../list/nothing-found.tsx";
import { Empty } from "../../ui/empty.tsx";
import { LinkButton } from "../../ui/link-button.tsx";
import { PageHeader } from "../../ui/page-header.tsx";
import { toHref } from "../../ui/pager.tsx";
import { CARDS } from "./cards-list.ts";
import { CardsTable } from "./cards-table.tsx";
import type { CardRow } from "./cards-columns.tsx";
import { CreateCard } from "../../card/create-card.tsx";
import { inspectCard } from "./inspect-card.tsx";
import { roleDisabledReason } from "#lib/access/roles.ts";
import { readAs } from "#lib/auth/page-session.ts";
import { toDeadlineTime } from "#lib/base/deadline-clock.ts";
import { addDays, toDayStart, toLocalDay } from "#lib/base/time-zone.ts";
import { listCards } from "#lib/cards/card-reads.ts";
import type { Card } from "#lib/cards/card-resource.ts";
import { findCardholder } from "#lib/cards/cardholder-reads.ts";
import type { Cardholder } from "#lib/cards/cardholder-reads.ts";
import { countListedCards } from "#lib/overview/card-count.ts";
import type { StaffSession } from "#lib/staff/staff-sessions.ts";

export const metadata: Metadata = { title: "Cards" };

type CardsQuery = ListQueryOf<typeof CARDS>;

export default personalPage(CardsPage);

async function CardsPage(
  session: StaffSession,
  { searchParams }: { searchParams: Promise<Search> },
) {
  const listQuery = readListQuery(CARDS, await searchParams);
  const { page, left, matching, holder } = await readPage(session, listQuery);
  const { currency } = session;
  const disabledReason = roleDisabledReason(session.actor.staff.role, "cards:write");
  const query = toQuery(listQuery, session);
  const names = { user_id: toOptions(holder) };
  const { order: _, ...bulkFilter } = query;
  const open = toId(listQuery.given["open"]);
  const record = open === undefined ? null : await inspectCard(open, session);
  return (
    <>
      {/* A card's history also shows refused requests, which do not change the account's version. */}
      {record ? <Live /> : <LiveAccount />}
      <PageHeader
        action={<Actions currency={currency} disabledReason={disabledReason} />}
        title="Cards"
      />
      <Inspector ids={page.rows.map(({ id }) => id)} record={record}>
        <CardsTable
          bar={<ListBar listQuery={listQuery} currency={currency} names={names} />}
          cards={page.rows.map(toRow)}
          currency={currency}
          disabledReasons={{
            freeze: disabledReason,
            limit: roleDisabledReason(session.actor.staff.role, "cards:limits"),
          }}
          empty={isFiltered(listQuery) ? <NothingFound list={CARDS} /> : <NothingYet />}
          look={toLook(listQuery)}
          matching={{
            filter: bulkFilter,
            count: matching,
            exportHref: toHref("/api/exports/cards", query),
          }}
          notes={<ListNotes listQuery={listQuery} currency={currency} names={names} />}
          pager={<ListPager listQuery={listQuery} left={left} page={page} />}
          views={<ListViews listQuery={listQuery} session={session} />}
        />
      </Inspector>
    </>
  );
}

function toOptions(holder: Cardholder | null | undefined) {
  return holder ? [{ id: holder.id, name: `${holder.firstName} ${holder.lastName}` }] : [];
}

function NothingYet() {
  return (
    <Empty title="No cards yet">
      Create your first card with <Plus aria-hidden className="inline size-3.5" /> Create card, then
      credit it from the float.
    </Empty>
  );
}

function Actions({
  currency,
  disabledReason,
}: {
  currency: string;
  disabledReason: string | null;
}) {
  return (
    <>
      {/* A phone has room for two buttons. Bulk jobs can also be reached through "Credit many". */}
      <span className="max-sm:hidden">
        <LinkButton href="/cards/bulk" variant="ghost">
          Bulk jobs
        </LinkButton>
      </span>
      <LinkButton href="/cards/credit">Credit many</LinkButton>
      <CreateCard currency={currency} disabledReason={disabledReason} />
    </>
  );
}

function readPage(session: StaffSession, { values, cursor }: CardsQuery) {
  const { user_id: cardholderId, status: segment, search, order } = values;
  const { status, endsBefore: freezeEndsBefore, hasCover } = toState(segment, session);
  const filter = {
    search,
    order,
    statuses: status && [status],
    freezeEndsBefore,
    hasCover,
    cardholderId,
    limit: LIST_ROWS,
    cursor,
  };
  return readAs(session, async (ctx) => {
    const all = { ...filter, cursor: undefined };
    const [page, matching, left, holder] = await Promise.all([
      listCards(ctx, filter),
      countListedCards(ctx, all),
      cursor ? countListedCards(ctx, filter) : undefined,
      cardholderId ? findCardholder(ctx, cardholderId) : undefined,
    ]);
    return { page, matching, left: left ?? matching, holder };
  });
}

/** The state of the cards in a segment. */
function toState(
  segment: CardsQuery["values"]["status"],
  { timeZone, clockOffsetS }: StaffSession,
) {
  if (segment === "cover-outstanding") {
    return { hasCover: true as const };
  }
  if (segment !== "ends-today") {
    return { status: segment };
  }
  const today = toLocalDay(toDeadlineTime({ clockOffsetS }, new Date()), timeZone);
  return { endsBefore: toDayStart(addDays(today, 1), timeZone) };
}

/** The filters as the API takes them. */
function toQuery(listQuery: CardsQuery, session: StaffSession) {
  const { search, order, user_id, status: segment } = listQuery.values;
  const { status, endsBefore, hasCover } = toState(segment, session);
  return {
    search,
    order,
    user_id,
    status,
    freeze_ends_before: endsBefore?.toISOString(),
    cover_outstanding: hasCover && ("true" as const),
  };
}

function toRow(card: Card): CardRow {
  const { id, cardName, last4, status, statusVersion, freeze, freezes } = card;
  const { currency, balance, available, createdAt } = card;
  const frozen = freeze && {
    reason: freeze.reason,
    by: freeze.actor.name,
    others: freezes.length - 1,
  };
  return {
    id,
    name: cardName,
    last4,
    status,
    statusVersion,
    freeze: frozen,
    currency,
    balance,
    available,
    createdAt: createdAt.toISOString(),
  };
}
