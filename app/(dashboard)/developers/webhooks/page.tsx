import type { Metadata } from "next";
import type { ComponentProps } from "react";
import { LinkButton } from "../../../ui/link-button.tsx";
import { toId } from "../../../ui/search-params.ts";
import { toCardOptions } from "../../../list/card-options.ts";
import { LIST_ROWS, isFiltered, readListQuery, toLook } from "../../../list/list.ts";
import type { ListQueryOf, Search } from "../../../list/list.ts";
import { ListPanel } from "../../../list/list-panel.tsx";
import { personalPage } from "../../../page/personal-page.tsx";
import { Live } from "../../../client/live.tsx";
import { PageHeader } from "../../../ui/page-header.tsx";
import { Inspector } from "../../../inspector/inspector.tsx";
import { DELIVERIES } from "./deliveries-list.tsx";
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
import { listDeliveries } from "#lib/webhooks/deliveries.ts";
import type { Delivery } from "#lib/webhooks/deliveries.ts";
import { SEND_DISABLED_REASONS } from "#lib/webhooks/delivery-states.ts";
import { getEndpointHealth } from "#lib/webhooks/endpoint-health.ts";
import { listEndpoints } from "#lib/webhooks/endpoints.ts";
import { findCards } from "#lib/cards/card-reads.ts";
import { roleDisabledReason } from "#lib/access/roles.ts";
import type { StaffSession } from "#lib/staff/staff-sessions.ts";

export const metadata: Metadata = { title: "Webhooks" };

export default personalPage(WebhooksPage);

async function WebhooksPage(
  session: StaffSession,
  { searchParams }: { searchParams: Promise<Search> },
) {
  const listQuery = readListQuery(DELIVERIES, await searchParams);
  const { health, further, inbox, page, card } = await readAs(session, async (ctx) => {
    const [first, ...others] = await listEndpoints(ctx);
    return {
      health: await getEndpointHealth(ctx, first),
      further: others,
      inbox: await readInbox(ctx, session.environment, first),
      ...(await readDeliveries(ctx, listQuery)),
    };
  });
  const { role } = session.actor.staff;
  const disabledReason = roleDisabledReason(role, "webhooks:write");
  const open = toId(listQuery.given["open"]);
  const inspected = open === undefined ? undefined : await inspectDelivery(open, role);
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
        <ListPanel
          listQuery={listQuery}
          label="Deliveries"
          names={{ card_id: toCardOptions(card) }}
          page={page}
          session={session}
          title="Deliveries"
        >
          <DeliveriesTable
            deliveries={page.rows}
            isFiltered={isFiltered(listQuery)}
            look={toLook(listQuery)}
          />
        </ListPanel>
      </Inspector>
    </>
  );
}

/** The buttons that change the account's URL. */
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

async function readDeliveries(
  ctx: ReadContext,
  { values: { state, event, card_id: cardId }, cursor }: ListQueryOf<typeof DELIVERIES>,
) {
  const page = await listDeliveries(ctx, {
    states: state && [state],
    events: event && [event],
    cardId,
    limit: LIST_ROWS,
    cursor,
  });
  const ids = cardId === undefined ? [] : [cardId];
  const [card] = await findCards(ctx.db, ctx.actor.integratorId, ids);
  return { page, card };
}

/** Notifications on their way to the inbox appear on this page once they arrive. */
function toLiveProps({ isUsed }: InboxView, deliveries: readonly Delivery[]) {
  return isUsed ? toListLiveProps(deliveries) : {};
}
