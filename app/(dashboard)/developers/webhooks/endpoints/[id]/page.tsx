import type { Metadata } from "next";
import { Breadcrumb } from "../../../../../client/breadcrumb.tsx";
import { Live } from "../../../../../client/live.tsx";
import { Missing, MISSING } from "../../../../../page/missing.tsx";
import { personalPage } from "../../../../../page/personal-page.tsx";
import { toEndpointName } from "../../../../../ui/endpoint-name.ts";
import { PageHeader } from "../../../../../ui/page-header.tsx";
import { Pager, toHref } from "../../../../../ui/pager.tsx";
import { Panel } from "../../../../../ui/panel.tsx";
import { toId } from "../../../../../ui/search-params.ts";
import type { Param } from "../../../../../ui/search-params.ts";
import { DeliveriesTable } from "../../deliveries-table.tsx";
import { ChangeEndpoint } from "../../endpoint-buttons.tsx";
import { EndpointPanel } from "../../endpoint-panel.tsx";
import { SecretPanel } from "../../secret-panel.tsx";
import { SendTest } from "../../send-test.tsx";
import { findEndpoint } from "./find-endpoint.ts";
import { roleDisabledReason } from "#lib/access/roles.ts";
import { readAs } from "#lib/auth/page-session.ts";
import type { StaffSession } from "#lib/staff/staff-sessions.ts";
import { listDeliveries } from "#lib/webhooks/deliveries.ts";
import { SEND_DISABLED_REASONS } from "#lib/webhooks/delivery-states.ts";
import type { Endpoint } from "#lib/webhooks/endpoints.ts";
import { SELECTABLE_EVENTS } from "#lib/webhooks/selectable-events.ts";

const ROWS = 50;

interface Props {
  params: Promise<{ id: string }>;
  searchParams: Promise<{ cursor?: Param }>;
}

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const found = await findEndpoint((await params).id);
  return found ? { title: `${toEndpointName(found.endpoint.webhookUrl)} · Webhooks` } : MISSING;
}

export default personalPage(EndpointPage);

async function EndpointPage(session: StaffSession, { params, searchParams }: Props) {
  const { id } = await params;
  const cursor = toId((await searchParams).cursor);
  const health = await findEndpoint(id);
  if (!health) {
    return <Missing back={{ href: "/developers/webhooks", name: "Webhooks" }} noun="endpoint" />;
  }
  const { endpoint } = health;
  const { rows, nextCursor } = await readAs(session, (ctx) =>
    listDeliveries(ctx, { endpointId: id, limit: ROWS, cursor }),
  );
  const { role } = session.actor.staff;
  const disabledReason = roleDisabledReason(role, "webhooks:write");
  const path = `/developers/webhooks/endpoints/${id}`;
  return (
    <>
      <Live />
      <Breadcrumb list="/developers/webhooks" name="Webhooks">
        {toEndpointName(endpoint.webhookUrl)}
      </Breadcrumb>
      <PageHeader
        action={
          <SendTest
            disabledReason={disabledReason ?? SEND_DISABLED_REASONS[endpoint.state]}
            endpointId={id}
            isWatchedHere={false}
          />
        }
        title={toEndpointName(endpoint.webhookUrl)}
      />
      <div className="grid grid-cols-1 items-start gap-6 lg:grid-cols-[2fr_1fr]">
        <EndpointPanel
          actions={
            <ChangeEndpoint disabledReason={disabledReason} endpoint={toEditable(endpoint)} />
          }
          disabledReason={disabledReason}
          health={health}
        />
        <SecretPanel disabledReason={disabledReason} endpoint={endpoint} role={role} />
      </div>
      <Panel flush title="Deliveries">
        <DeliveriesTable deliveries={rows} isFiltered={false} look={{}} />
        <Pager
          cursor={cursor}
          hrefOf={(each) => toHref(path, { cursor: each })}
          nextCursor={nextCursor}
        />
      </Panel>
    </>
  );
}

function toEditable({ id, webhookUrl, format, events, headers }: Endpoint) {
  return {
    id,
    webhookUrl: webhookUrl ?? "",
    format,
    events: SELECTABLE_EVENTS.filter((event) => events?.includes(event)),
    headerNames: Object.keys(headers),
  };
}
