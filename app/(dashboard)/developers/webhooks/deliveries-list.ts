import { declareList, toOptions } from "../../../list/list.ts";
import { DELIVERY_STATE_NAMES } from "../../../ui/delivery-state.tsx";
import { EVENT_NAMES } from "#lib/record/event-catalog.ts";
import { DELIVERY_STATES } from "#lib/webhooks/delivery-states.ts";

/** The deliveries of events to webhook endpoints, newest first. */
export const DELIVERIES = declareList({
  path: "/developers/webhooks",
  noun: "deliveries",
  hint: "Deliveries are kept for 30 days.",
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
