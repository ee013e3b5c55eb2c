import { DataTable } from "../../../ui/data-table.tsx";
import { DeliveryStateLabel } from "../../../ui/delivery-state.tsx";
import { Empty } from "../../../ui/empty.tsx";
import { LinkButton } from "../../../ui/link-button.tsx";
import { Time } from "../../../ui/time.tsx";
import type { Delivery } from "#lib/webhooks/deliveries.ts";
import { explainFailure } from "#lib/webhooks/delivery-states.ts";

const COLUMNS = [
  { id: "event", name: "Event", narrow: "below" },
  { id: "state", name: "Status", narrow: "below" },
  { id: "answer", name: "Last response", narrow: "hidden", yields: "first" },
  { id: "attempts", name: "Attempts", align: "end", narrow: "hidden", yields: "second" },
  { id: "created", name: "Created", align: "end", narrow: "beside" },
] as const;

/** Deliveries, newest first, linked to their attempts. */
export function DeliveriesTable({
  deliveries,
  showAllHref,
}: {
  deliveries: readonly Delivery[];
  /** The address of all deliveries; null while nothing is filtered. */
  showAllHref: string | null;
}) {
  return (
    <DataTable
      columns={COLUMNS}
      empty={
        showAllHref === null ? (
          <Empty title="No deliveries yet">
            Each event that is sent to the endpoint appears here.
          </Empty>
        ) : (
          <Empty
            action={<LinkButton href={showAllHref}>Show all deliveries</LinkButton>}
            title="No deliveries found"
          >
            No deliveries match these filters. Deliveries are kept for 30 days.
          </Empty>
        )
      }
      label="Deliveries"
      rows={deliveries.map(toRow)}
    />
  );
}

function toRow(delivery: Delivery) {
  return {
    id: delivery.id,
    href: `/developers/webhooks/deliveries/${delivery.id}`,
    text: delivery.event,
    cells: [
      <code className="font-mono text-xs" key="event">
        {delivery.event}
      </code>,
      <DeliveryStateLabel hasFailed={delivery.failures > 0} key="state" state={delivery.state} />,
      <span className="text-muted block max-w-80 truncate" key="answer">
        {toAnswer(delivery)}
      </span>,
      delivery.attempts,
      <Time at={delivery.createdAt} key="created" />,
    ],
  };
}

function toAnswer({ lastStatus, lastFailure }: Delivery): string {
  return [lastStatus, explainFailure(lastFailure)].filter((part) => part !== null).join(" · ");
}
