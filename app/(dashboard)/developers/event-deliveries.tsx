import { Link } from "../../ui/link.tsx";
import { DeliveryStateLabel } from "../../ui/delivery-state.tsx";
import { toEndpointName } from "../../ui/endpoint-name.ts";
import type { EventDelivery } from "#lib/record/event-deliveries.ts";

/** An event's deliveries: the destination and state of each, with a link. */
export function EventDeliveries({ deliveries }: { deliveries: readonly EventDelivery[] }) {
  if (deliveries.length === 0) {
    return <span className="text-muted text-xs">No delivery on record.</span>;
  }
  return (
    <ul aria-label="Deliveries" className="flex min-w-0 flex-col gap-1 text-xs">
      {deliveries.map(({ id, webhookUrl, state }) => (
        <li className="flex items-start gap-3" key={id}>
          <DeliveryStateLabel state={state} />
          <Link
            className="underlined-link min-w-0 py-0.5 font-mono break-all"
            href={`/developers/webhooks/deliveries/${id}`}
          >
            {toEndpointName(webhookUrl)}
          </Link>
        </li>
      ))}
    </ul>
  );
}
