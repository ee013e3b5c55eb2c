import { Link } from "../../ui/link.tsx";
import { DeliveryStateLabel } from "../../ui/delivery-state.tsx";
import type { RecentEvent } from "#lib/webhooks/event-reads.ts";

/** The state of an event's webhook delivery, linked to the delivery. */
export function DeliveryLink({
  id,
  state,
}: {
  id: string;
  state: NonNullable<RecentEvent["delivery"]>;
}) {
  return (
    <>
      <DeliveryStateLabel state={state} />
      <Link className="underlined-link" href={`/developers/webhooks/deliveries/${id}`}>
        View delivery
      </Link>
    </>
  );
}
