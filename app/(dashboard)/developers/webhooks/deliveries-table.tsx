import { DELIVERIES } from "./deliveries-list.ts";
import { NothingFound } from "../../../list/nothing-found.tsx";
import { DataTable } from "../../../ui/data-table.tsx";
import type { Column } from "../../../ui/data-table.tsx";
import { DeliveryStateLabel } from "../../../ui/delivery-state.tsx";
import { Empty } from "../../../ui/empty.tsx";
import { Time } from "../../../ui/time.tsx";
import type { Delivery } from "#lib/webhooks/deliveries.ts";
import { explainFailure } from "#lib/webhooks/delivery-states.ts";

const COLUMNS: readonly Column<Delivery>[] = [
  {
    id: "event",
    name: "Event",
    narrow: "below",
    cell: ({ event }) => <code className="font-mono text-xs">{event}</code>,
  },
  {
    id: "state",
    name: "Status",
    narrow: "below",
    cell: ({ failures, state }) => <DeliveryStateLabel hasFailed={failures > 0} state={state} />,
  },
  {
    id: "answer",
    name: "Last response",
    narrow: "hidden",
    yields: "first",
    cell: (delivery) => (
      <span className="text-muted block max-w-80 truncate">{toAnswer(delivery)}</span>
    ),
  },
  {
    id: "attempts",
    name: "Attempts",
    align: "end",
    narrow: "hidden",
    yields: "second",
    cell: ({ attempts }) => attempts,
  },
  {
    id: "created",
    name: "Created",
    align: "end",
    narrow: "beside",
    cell: ({ createdAt }) => <Time at={createdAt} />,
  },
];

/** Deliveries, newest first, linked to their attempts. */
export function DeliveriesTable({
  deliveries,
  isFiltered,
}: {
  deliveries: readonly Delivery[];
  isFiltered: boolean;
}) {
  return (
    <DataTable
      columns={COLUMNS}
      empty={
        isFiltered ? (
          <NothingFound list={DELIVERIES} />
        ) : (
          <Empty title="No deliveries yet">
            Each event that is sent to the endpoint appears here.
          </Empty>
        )
      }
      hrefOf={({ id }) => `/developers/webhooks/deliveries/${id}`}
      idOf={({ id }) => id}
      items={deliveries}
      label="Deliveries"
    />
  );
}

function toAnswer({ lastStatus, lastFailure }: Delivery): string {
  return [lastStatus, explainFailure(lastFailure)].filter((part) => part !== null).join(" · ");
}
