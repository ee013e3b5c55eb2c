import type { Metadata } from "next";
import type { ComponentProps } from "react";
import { LinkButton } from "../../../ui/link-button.tsx";
import { toId, toText } from "../../../ui/search-params.ts";
import type { Param } from "../../../ui/search-params.ts";
import { personalPage } from "../../../page/personal-page.tsx";
import { Live } from "../../../client/live.tsx";
import { DELIVERY_STATE_NAMES } from "../../../ui/delivery-state.tsx";
import { IgnoredFilters } from "../../../ui/ignored-filters.tsx";
import { PageHeader } from "../../../ui/page-header.tsx";
import { Pager, toHref } from "../../../ui/pager.tsx";
import { Panel } from "../../../ui/panel.tsx";
import { Inspector } from "../../../inspector/inspector.tsx";
import { FilterBar } from "../../../ui/filter-bar.tsx";
import { DeliveriesTable } from "./deliveries-table.tsx";
import { EndpointPanel } from "./endpoint-panel.tsx";
import { EndpointsPanel } from "./endpoints-panel.tsx";
import { InboxPanel } from "./inbox-panel.tsx";
import { toListLiveProps } from "./deliveries/[id]/delivery-watch.ts";
import { inspectDelivery } from "./inspect-delivery.tsx";
import { OfferInbox } from "./offer-inbox.tsx";
import { readInbox } from "./read-inbox.ts";
import type { InboxView } from "./read-inbox.ts";
import { SecretPanel } from "./secret-panel.tsx";
import { SendTest } from "./send-test.tsx";
import { readAs } from "#lib/auth/page-session.ts";
import type { ReadContext } from "#lib/base/context.ts";
import type { Page } from "#lib/base/paging.ts";
import { listDeliveries } from "#lib/webhooks/deliveries.ts";
import type { Delivery } from "#lib/webhooks/deliveries.ts";
import { DELIVERY_STATES, SEND_DISABLED_REASONS } from "#lib/webhooks/delivery-states.ts";
import { getEndpointHealth } from "#lib/webhooks/endpoint-health.ts";
import { listEndpoints } from "#lib/webhooks/endpoints.ts";
import { EVENT_NAMES } from "#lib/record/event-catalog.ts";
import { isId } from "#lib/base/ids.ts";
import { roleDisabledReason } from "#lib/access/roles.ts";
import type { StaffSession } from "#lib/staff/staff-sessions.ts";

export const metadata: Metadata = { title: "Webhooks" };

const ROWS = 50;
const PATH = "/developers/webhooks";

type Search = Readonly<Partial<Record<"state" | "event" | "card_id" | "cursor" | "open", Param>>>;

export default personalPage(WebhooksPage);

async function WebhooksPage(
  session: StaffSession,
  { searchParams }: { searchParams: Promise<Search> },
) {
  const given = await searchParams;
  const { filters, cursor } = toFilters(given);
  const { health, further, inbox, page } = await readAs(session, async (ctx) => {
    const [first, ...others] = await listEndpoints(ctx);
    return {
      health: await getEndpointHealth(ctx, first),
      further: others,
      inbox: await readInbox(ctx, session.environment, first),
      page: await readDeliveries(ctx, { ...filters, cursor }),
    };
  });
  const { role } = session.actor.staff;
  const disabledReason = roleDisabledReason(role, "webhooks:write");
  const open = toId(given.open);
  const inspected = open === undefined ? undefined : await inspectDelivery(open, role);
  const isFiltered = Object.values(filters).some((value) => value !== undefined);
  return (
    <>
      <Live {...(inspected?.liveProps ?? toLiveProps(inbox, page.rows))} />
      <PageHeader
        action={
          <SendTest
            disabledReason={disabledReason ?? SEND_DISABLED_REASONS[health.endpoint.state]}
            endpointId={health.endpoint.id}
            isWatchedHere={inbox.isUsed}
          />
        }
        description="Every event in your account is signed and sent to your endpoint until it is delivered."
        title="Webhooks"
      />
      <div className="inspected-aside grid grid-cols-1 items-start gap-6 lg:grid-cols-[2fr_1fr]">
        <EndpointPanel
          disabledReason={disabledReason}
          health={health}
          actions={<UrlActions inbox={inbox} role={role} webhookUrl={health.endpoint.webhookUrl} />}
        />
        <SecretPanel disabledReason={disabledReason} endpoint={health.endpoint} role={role} />
      </div>
      <EndpointsPanel disabledReason={disabledReason} endpoints={further} />
      <InboxPanel inbox={inbox} />
      <Inspector ids={page.rows.map(({ id }) => id)} record={inspected?.record ?? null}>
        <Panel flush title="Deliveries">
          <div className="border-separator border-b px-4 py-2">
            <FilterBar choices={CHOICES} hasCard />
          </div>
          <IgnoredFilters given={{ ...given }} used={filters} />
          <DeliveriesTable deliveries={page.rows} showAllHref={isFiltered ? PATH : null} />
          <Pager
            firstHref={cursor ? toHref(PATH, filters) : null}
            nextHref={page.nextCursor && toHref(PATH, { ...filters, cursor: page.nextCursor })}
          />
        </Panel>
      </Inspector>
    </>
  );
}

/** What changes the account's URL. */
function UrlActions(shown: ComponentProps<typeof OfferInbox>) {
  return (
    <>
      <OfferInbox {...shown} />
      <LinkButton href="/settings/account" size="sm">
        {shown.webhookUrl === null ? "Set webhook URL" : "Edit URL"}
      </LinkButton>
    </>
  );
}

function readDeliveries(
  ctx: ReadContext,
  {
    state,
    event,
    card_id: cardId,
    cursor,
  }: ReturnType<typeof toFilters>["filters"] & {
    cursor: string | undefined;
  },
): Promise<Page<Delivery>> {
  return isNobodysCard(cardId)
    ? Promise.resolve({ rows: [], nextCursor: null })
    : listDeliveries(ctx, {
        states: state && [state],
        events: event && [event],
        cardId,
        limit: ROWS,
        cursor,
      });
}

/** Notifications on their way to the inbox appear on this page once they arrive. */
function toLiveProps({ isUsed }: InboxView, deliveries: readonly Delivery[]) {
  return isUsed ? toListLiveProps(deliveries) : {};
}

const CHOICES = [
  {
    name: "state",
    label: "Status",
    all: "All statuses",
    options: DELIVERY_STATES.map((id) => ({ id, name: DELIVERY_STATE_NAMES[id] })),
  },
  {
    name: "event",
    label: "Event",
    all: "All events",
    options: EVENT_NAMES.map((id) => ({ id, name: id })),
  },
] as const;

/** Filters from the URL; invalid values are ignored. */
function toFilters({ state, event, card_id: cardId, cursor }: Search) {
  return {
    filters: {
      state: DELIVERY_STATES.find((each) => each === state),
      event: EVENT_NAMES.find((each) => each === event),
      card_id: toText(cardId)?.trim() || undefined,
    },
    cursor: toId(cursor),
  };
}

/** Whether the filter cannot be a card's id; then nothing matches it. */
function isNobodysCard(cardId: string | undefined): boolean {
  return cardId !== undefined && !isId(cardId);
}
