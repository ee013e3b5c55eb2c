import type { Metadata } from "next";
import Link from "next/link";
import { cache } from "react";
import { Breadcrumb } from "../../../../../client/breadcrumb.tsx";
import { Missing, MISSING } from "../../../../../missing.tsx";
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

/** How often the page looks while a try is near, and how near that is. */
const WATCHED_MS = 1_000;
const NEAR_MS = 30_000;

interface Props {
  params: Promise<{ id: string }>;
}

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const found = await findDeliveryPage((await params).id);
  return found ? { title: `${found.delivery.event} delivery · Webhooks` } : MISSING;
}

export default async function DeliveryPage({ params }: Props) {
  const session = await requireStaffPage();
  const { id } = await params;
  const found = await findDeliveryPage(id);
  if (!found) {
    return <Missing back={{ href: "/developers/webhooks", name: "Webhooks" }} noun="delivery" />;
  }
  const { delivery, body, attempts, endpoint } = found;
  const disabledReason = roleDisabledReason(session.actor.staff.role, "webhooks:write");
  return (
    <>
      <Live {...(isNear(delivery) ? { everyMs: WATCHED_MS } : {})} />
      <Breadcrumb list="/developers/webhooks" name="Webhooks">
        {delivery.event}
      </Breadcrumb>
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

/** Read once for the page and its title. Undefined for another integrator's, an unknown one and a malformed id. */
const findDeliveryPage = cache(async (id: string) => {
  const session = await requireStaffPage();
  try {
    return await readAs(session, async (ctx) => ({
      ...(await getDelivery(ctx, id)),
      endpoint: await getEndpoint(ctx),
    }));
  } catch (error) {
    if (isDomainError(error) && error.code === "delivery_not_found") {
      return undefined;
    }
    throw error;
  }
});

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
