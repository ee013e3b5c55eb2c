import { Plus } from "lucide-react";
import type { Metadata } from "next";
import { toId, toText } from "../../ui/search-params.ts";
import type { Param } from "../../ui/search-params.ts";
import { personalPage } from "../../page/personal-page.tsx";
import { Live } from "../../client/live.tsx";
import { LiveAccount } from "../../client/live-account.tsx";
import { Inspector } from "../../inspector/inspector.tsx";
import { Empty } from "../../ui/empty.tsx";
import { IgnoredFilters } from "../../ui/ignored-filters.tsx";
import { LinkButton } from "../../ui/link-button.tsx";
import { PageHeader } from "../../ui/page-header.tsx";
import { Pager, toHref } from "../../ui/pager.tsx";
import { CardFilters } from "./card-filters.tsx";
import { CARD_SEGMENTS } from "./card-segment.ts";
import type { CardSegment } from "./card-segment.ts";
import { CardsTable } from "./cards-table.tsx";
import type { CardRow } from "./cards-table.tsx";
import { CreateCard } from "../../card/create-card.tsx";
import { inspectCard } from "./inspect-card.tsx";
import { readAs } from "#lib/auth/page-session.ts";
import { toDeadlineTime } from "#lib/base/deadline-clock.ts";
import { addDays, toDayStart, toLocalDay } from "#lib/base/time-zone.ts";
import { listCards } from "#lib/cards/card-reads.ts";
import type { Card } from "#lib/cards/card-resource.ts";
import { CARD_ORDERS } from "#lib/cards/card-state.ts";
import { findCardholder } from "#lib/cards/cardholder-reads.ts";
import { countListedCards } from "#lib/overview/card-count.ts";
import type { StaffSession } from "#lib/staff/staff-sessions.ts";
import { roleDisabledReason } from "#lib/access/roles.ts";

export const metadata: Metadata = { title: "Cards" };

const ROWS = 50;

type Search = Readonly<
  Partial<Record<"search" | "status" | "order" | "user_id" | "cursor" | "open", Param>>
>;

export default personalPage(CardsPage);

async function CardsPage(
  session: StaffSession,
  { searchParams }: { searchParams: Promise<Search> },
) {
  const given = await searchParams;
  const { filters, cursor } = toFilters(given);
  const { page, left, matching, holder } = await readPage(session, filters, cursor);
  const disabledReason = roleDisabledReason(session.actor.staff.role, "cards:write");
  const query = toQuery(filters, session);
  const { order: _, ...bulkFilter } = query;
  const open = toId(given.open);
  const record = open === undefined ? null : await inspectCard(open, session);
  const isFiltered = [filters.search, filters.status, filters.user_id].some(Boolean);
  return (
    <>
      {/* A card's history also shows refused requests, which do not change the account's version. */}
      {record ? <Live /> : <LiveAccount />}
      <PageHeader
        action={<Actions currency={session.currency} disabledReason={disabledReason} />}
        title="Cards"
      />
      <Inspector ids={page.rows.map(({ id }) => id)} record={record}>
        <CardsTable
          cards={page.rows.map(toRow)}
          empty={
            isFiltered ? (
              <Empty
                action={<LinkButton href="/cards">Show all cards</LinkButton>}
                title="No cards found"
              >
                No cards match these filters. Search covers the last four digits, the name on the
                card, and the ID.
              </Empty>
            ) : (
              <Empty title="No cards yet">
                Create your first card with <Plus aria-hidden className="inline size-3.5" /> Create
                card, then credit it from the float.
              </Empty>
            )
          }
          filters={
            <CardFilters holder={holder ? `${holder.firstName} ${holder.lastName}` : null} />
          }
          disabledReason={disabledReason}
          matching={{
            filter: bulkFilter,
            count: matching,
            exportHref: toHref("/api/exports/cards", query),
          }}
          notice={<IgnoredFilters given={{ ...given }} used={filters} />}
          pager={
            <Pager
              firstHref={cursor ? toHref("/cards", filters) : null}
              range={{ shown: page.rows.length, left }}
              nextHref={
                page.nextCursor ? toHref("/cards", { ...filters, cursor: page.nextCursor }) : null
              }
            />
          }
        />
      </Inspector>
    </>
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
      {/* A phone has room for two buttons; "Credit many" leads there, too. */}
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

/** Filters from the URL; invalid values are ignored. */
function toFilters({ search, status, order, user_id: userId, cursor }: Search) {
  return {
    filters: {
      search: toText(search)?.trim() || undefined,
      status: CARD_SEGMENTS.find((each) => each === status),
      order: CARD_ORDERS.find((each) => each === order),
      user_id: toId(userId),
    },
    cursor: toId(cursor),
  };
}

type Filters = ReturnType<typeof toFilters>["filters"];

function readPage(session: StaffSession, filters: Filters, cursor: string | undefined) {
  const { user_id: cardholderId, status: segment, ...rest } = filters;
  const { status, endsBefore: freezeEndsBefore } = toState(segment, session);
  const statuses = status && [status];
  const filter = { ...rest, statuses, freezeEndsBefore, cardholderId, limit: ROWS, cursor };
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

/** Which cards a segment has. A freeze ends on a day of the account's clock. */
function toState(segment: CardSegment | undefined, { timeZone, clockOffsetS }: StaffSession) {
  if (segment !== "ends-today") {
    return { status: segment };
  }
  const today = toLocalDay(toDeadlineTime({ clockOffsetS }, new Date()), timeZone);
  return { endsBefore: toDayStart(addDays(today, 1), timeZone) };
}

/** The filters as the API takes them. */
function toQuery({ status: segment, ...filters }: Filters, session: StaffSession) {
  const { status, endsBefore } = toState(segment, session);
  return { ...filters, status, freeze_ends_before: endsBefore?.toISOString() };
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
