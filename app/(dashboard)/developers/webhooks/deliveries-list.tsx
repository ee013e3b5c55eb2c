import { toOptions } from "../../../list/field.ts";
import { declareList } from "../../../list/list.ts";
import type { Column } from "../../../ui/data-table.tsx";
import { DELIVERY_STATE_NAMES, DeliveryStateLabel } from "../../../ui/delivery-state.tsx";
import { Time } from "../../../ui/time.tsx";
import { EVENT_NAMES } from "#lib/record/event-catalog.ts";
import type { Delivery } from "#lib/webhooks/deliveries.ts";
import { DELIVERY_STATES, explainFailure } from "#lib/webhooks/delivery-states.ts";

/** What the list can show of a delivery. */
export const DELIVERY_COLUMNS: readonly Column<Delivery>[] = [
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

/** The deliveries of events to webhook endpoints, newest first. */
export const DELIVERIES = declareList({
  path: "/developers/webhooks",
  views: "webhook_deliveries",
  noun: "deliveries",
  hint: "Deliveries are kept for 30 days.",
  columns: DELIVERY_COLUMNS,
  fields: {
    state: {
      kind: "choice",
      label: "Status",
      options: toOptions(DELIVERY_STATES, DELIVERY_STATE_NAMES),
    },
    event: {
      kind: "choice",
      label: "Event",
      options: EVENT_NAMES.map((id) => ({ id, name: id })),
    },
    card_id: { kind: "card", label: "Card" },
  },
});

function toAnswer({ lastStatus, lastFailure }: Delivery): string {
  return [lastStatus, explainFailure(lastFailure)].filter((part) => part !== null).join(" · ");
}
