import type { Metadata } from "next";
import Link from "next/link";
import { notFound } from "next/navigation";
import { requireStaffPage } from "../../../../../staff-page.ts";
import { Live } from "../../../../../client/live.tsx";
import { JsonBlock } from "../../../../../ui/code-block.tsx";
import { CopyId } from "../../../../../ui/copy-id.tsx";
import { DeliveryStateLabel } from "../../../../../ui/delivery-state.tsx";
import { Fact, Facts } from "../../../../../ui/facts.tsx";
import { PageHeader } from "../../../../../ui/page-header.tsx";
import { Panel } from "../../../../../ui/panel.tsx";
import { ExactTime, Time } from "../../../../../ui/time.tsx";
import { Attempts } from "./attempts.tsx";
import { Resend } from "./resend.tsx";
import { readAs } from "#lib/auth/page-session.ts";
import { getDelivery } from "#lib/webhooks/deliveries.ts";
import type { Delivery } from "#lib/webhooks/deliveries.ts";
import { SEND_DISABLED_REASONS } from "#lib/webhooks/delivery-states.ts";
import { getEndpoint } from "#lib/webhooks/endpoints.ts";
import { isDomainError } from "#lib/base/errors.ts";
import { roleDisabledReason } from "#lib/access/roles.ts";
import type { StaffSession } from "#lib/staff/staff-sessions.ts";

export const metadata: Metadata = { title: "Delivery" };

/** How often the page looks while a try is near, and how near that is. */
const WATCHED_MS = 1_000;
const NEAR_MS = 30_000;

export default async function DeliveryPage({ params }: { params: Promise<{ id: string }> }) {
  const session = await requireStaffPage();
  const { id } = await params;
  const { delivery, body, attempts, endpoint } = await readDeliveryPage(session, id);
  const disabledReason = roleDisabledReason(session.actor.staff.role, "webhooks:write");
  return (
    <>
      <Live {...(isNear(delivery) ? { everyMs: WATCHED_MS } : {})} />
      <nav aria-label="Breadcrumb" className="text-muted -mb-3">
        <Link className="hover:text-foreground" href="/developers/webhooks">
          Webhooks
        </Link>
        <span aria-hidden> / </span>
        <span aria-current="page">{delivery.event}</span>
      </nav>
      <PageHeader
        action={
          <Resend
            id={id}
            disabledReason={disabledReason ?? SEND_DISABLED_REASONS[endpoint.state]}
          />
        }
        description={
          <span aria-live="polite">
            <DeliveryStateLabel hasFailed={delivery.failures > 0} state={delivery.state} />
          </span>
        }
        title={delivery.event}
      />
      <div className="grid grid-cols-1 items-start gap-6 lg:grid-cols-[1fr_320px]">
        <Attempts attempts={attempts} />
        <Details delivery={delivery} />
      </div>
      <Panel title="Payload">
        <JsonBlock label="Request body" text={body} />
      </Panel>
    </>
  );
}

/** Another integrator's delivery, an unknown one and a malformed id are the same: not found. */
async function readDeliveryPage(session: StaffSession, id: string) {
  try {
    return await readAs(session, async (ctx) => ({
      ...(await getDelivery(ctx, id)),
      endpoint: await getEndpoint(ctx),
    }));
  } catch (error) {
    if (isDomainError(error) && error.code === "delivery_not_found") {
      notFound();
    }
    throw error;
  }
}

function Details({ delivery }: { delivery: Delivery }) {
  const { eventId, cardId, attempts, createdAt, deliveredAt } = delivery;
  return (
    <Panel title="Details">
      <Facts>
        <Fact term="webhook-id">
          <CopyId id={eventId} label="webhook-id" />
        </Fact>
        {cardId !== null && (
          <Fact term="Card">
            <Link className="text-link underline underline-offset-4" href={`/cards/${cardId}`}>
              View card
            </Link>
          </Fact>
        )}
        <Fact term="Created">
          <ExactTime at={createdAt} />
        </Fact>
        <Fact term="Attempts">{attempts}</Fact>
        {deliveredAt && (
          <Fact term="Delivered">
            <ExactTime at={deliveredAt} />
          </Fact>
        )}
        {delivery.state === "pending" && (
          <Fact term="Next attempt">
            <NextAttempt delivery={delivery} />
          </Fact>
        )}
      </Facts>
    </Panel>
  );
}

function NextAttempt({ delivery }: { delivery: Delivery }) {
  if (delivery.lockedBy !== null) {
    return "In progress";
  }
  return isWithin(0, delivery) ? "Any moment now" : <Time at={delivery.dueAt} />;
}

function isNear(delivery: Delivery): boolean {
  const { state, lockedBy } = delivery;
  return state === "pending" && (lockedBy !== null || isWithin(NEAR_MS, delivery));
}

function isWithin(ms: number, { dueAt }: Delivery): boolean {
  return dueAt.getTime() - Date.now() <= ms;
}
