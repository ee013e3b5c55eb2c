import { Plus } from "lucide-react";
import type { Metadata } from "next";
import { requireStaffPage } from "../../staff-page.ts";
import { Live } from "../../client/live.tsx";
import { CardName } from "../../ui/card-name.tsx";
import { CardStatusLabel } from "../../ui/card-status.tsx";
import { Empty } from "../../ui/empty.tsx";
import { LinkButton } from "../../ui/link-button.tsx";
import { Money } from "../../ui/money.tsx";
import { PageHeader } from "../../ui/page-header.tsx";
import { Pager, toHref } from "../../ui/pager.tsx";
import { Time } from "../../ui/time.tsx";
import { CardFilters } from "./card-filters.tsx";
import { CardsTable } from "./cards-table.tsx";
import { CreateCard } from "./create-card.tsx";
import { readAs } from "#lib/auth/page-session.ts";
import { listCards } from "#lib/cards/card-reads.ts";
import type { Card } from "#lib/cards/card-resource.ts";
import { CARD_ORDERS, CARD_STATUSES } from "#lib/cards/card-state.ts";
import { findCardholder } from "#lib/cards/cardholders.ts";
import { getAccount } from "#lib/integrators/integrators.ts";
import { isId } from "#lib/base/ids.ts";
import { roleDisabledReason } from "#lib/access/roles.ts";

export const metadata: Metadata = { title: "Cards" };

const ROWS = 50;

interface Search {
  search?: string;
  status?: string;
  order?: string;
  user_id?: string;
  cursor?: string;
}

export default async function CardsPage({ searchParams }: { searchParams: Promise<Search> }) {
  const session = await requireStaffPage();
  const { search = "", status: given, order: asked, user_id: userId, cursor } = await searchParams;
  const order = CARD_ORDERS.find((each) => each === asked);
  const status = CARD_STATUSES.find((each) => each === given);
  const cardholderId = userId && isId(userId) ? userId : undefined;
  const filters = { search, status, order, user_id: cardholderId };
  const { page, holder, currency } = await readAs(session, async (ctx) => ({
    page: await listCards(ctx, {
      cardholderId,
      status,
      order,
      search: search.trim() || undefined,
      limit: ROWS,
      cursor: cursor && isId(cursor) ? cursor : undefined,
    }),
    holder: cardholderId ? await findCardholder(ctx, cardholderId) : undefined,
    currency: (await getAccount(ctx)).currency,
  }));
  const { role } = session.actor.staff;
  const isFiltered = search !== "" || status !== undefined || cardholderId !== undefined;
  const create = (
    <CreateCard currency={currency} disabledReason={roleDisabledReason(role, "cards:write")} />
  );
  return (
    <>
      <Live />
      <PageHeader action={create} title="Cards" />
      <CardsTable
        empty={
          isFiltered ? (
            <Empty
              action={<LinkButton href="/cards">Show all cards</LinkButton>}
              title="No such card"
            >
              Nothing matches this search. It looks at the last four digits, the name on the card,
              and the id.
            </Empty>
          ) : (
            <Empty title="No cards yet">
              Create the first one with <Plus aria-hidden className="inline size-3.5" /> Create
              card. It starts empty and active; credit it from the float.
            </Empty>
          )
        }
        exportHref={toHref("/api/exports/cards", filters)}
        filters={<CardFilters holder={holder ? `${holder.firstName} ${holder.lastName}` : null} />}
        disabledReason={roleDisabledReason(role, "cards:write")}
        pager={
          <Pager
            firstHref={cursor ? toHref("/cards", filters) : null}
            nextHref={
              page.nextCursor ? toHref("/cards", { ...filters, cursor: page.nextCursor }) : null
            }
          />
        }
        rows={page.rows.map(toRow)}
      />
    </>
  );
}

function toRow(card: Card) {
  return {
    id: card.id,
    href: `/cards/${card.id}`,
    text: `${card.cardName} ${card.last4}`,
    status: card.status,
    cells: [
      <CardName card={card} key="card" />,
      <CardStatusLabel key="status" status={card.status} />,
      <Money amount={card.balance} currency={card.currency} key="balance" />,
      <Money amount={card.available} currency={card.currency} key="available" />,
      <Time at={card.createdAt} key="created" />,
    ],
  };
}
