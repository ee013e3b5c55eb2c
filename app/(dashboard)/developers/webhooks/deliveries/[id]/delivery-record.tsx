import { CardLink } from "../../../../../ui/card-link.tsx";
import { Link } from "../../../../../ui/link.tsx";
import { JsonBlock } from "../../../../../ui/code-block.tsx";
import { CopyId } from "../../../../../ui/copy-id.tsx";
import { DeliveryStateLabel } from "../../../../../ui/delivery-state.tsx";
import { toEndpointName } from "../../../../../ui/endpoint-name.ts";
import { Fact, Facts } from "../../../../../ui/facts.tsx";
import { Panel } from "../../../../../ui/panel.tsx";
import { RecordColumns } from "../../../../../ui/record-columns.tsx";
import { ExactTime, Time } from "../../../../../ui/time.tsx";
import { Attempts } from "./attempts.tsx";
import { isWithin } from "./delivery-watch.ts";
import type { FoundDelivery } from "./find-delivery.ts";
import { Resend } from "./resend.tsx";
import { roleDisabledReason } from "#lib/access/roles.ts";
import type { Role } from "#lib/access/roles.ts";
import type { Delivery } from "#lib/webhooks/deliveries.ts";
import { SEND_DISABLED_REASONS } from "#lib/webhooks/delivery-states.ts";

/** A delivery with its attempts, on its page and in the panel beside the list. */
export function DeliveryRecord({
  found: { delivery, body, attempts, endpoint },
  role,
  heading: Heading,
}: {
  found: FoundDelivery;
  role: Role;
  heading: "h1" | "h2";
}) {
  const disabledReason = roleDisabledReason(role, "webhooks:write");
  return (
    <div className="record flex flex-col gap-6">
      <header className="flex flex-wrap items-start justify-between gap-x-6 gap-y-3">
        <div className="flex min-w-0 flex-col gap-1">
          <Heading className="text-xl font-semibold tracking-tight break-words">
            {delivery.event}
          </Heading>
          <span aria-live="polite">
            <DeliveryStateLabel hasFailed={delivery.failures > 0} state={delivery.state} />
          </span>
        </div>
        <div data-main-action>
          <Resend
            disabledReason={disabledReason ?? SEND_DISABLED_REASONS[endpoint.state]}
            id={delivery.id}
          />
        </div>
      </header>
      <RecordColumns
        main={<Attempts attempts={attempts} />}
        side={<Details delivery={delivery} endpoint={endpoint} />}
      />
      <Panel title="Payload">
        <JsonBlock label="Request body" text={body} />
      </Panel>
    </div>
  );
}

function Details({ delivery, endpoint }: Pick<FoundDelivery, "delivery" | "endpoint">) {
  const { eventId, cardId, attempts, createdAt, deliveredAt } = delivery;
  return (
    <Panel title="Details">
      <Facts>
        <Fact term="webhook-id">
          <CopyId id={eventId} label="webhook-id" />
        </Fact>
        <Fact term="Endpoint">
          <span className="font-mono text-xs break-all">{toEndpointName(endpoint.webhookUrl)}</span>
        </Fact>
        <Fact term="Event">
          <Link className="underlined-link" href={`/developers/events/${eventId}`}>
            View event
          </Link>
        </Fact>
        {cardId !== null && (
          <Fact term="Card">
            <CardLink id={cardId} />
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
    return <span>In progress</span>;
  }
  return isWithin(0, delivery) ? <span>Any moment now</span> : <Time at={delivery.dueAt} />;
}
