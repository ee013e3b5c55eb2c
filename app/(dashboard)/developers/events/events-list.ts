import { DAYS, declareList } from "../../../list/list.ts";
import { EVENTS } from "#lib/record/declared-events.ts";

/** The events of an account, newest first. */
export const EVENTS_LIST = declareList({
  path: "/developers/events",
  views: "events",
  noun: "events",
  hint: "Remove a filter to see more.",
  fields: {
    ...DAYS,
    event: {
      kind: "choice",
      label: "Event",
      options: Object.keys(EVENTS).map((id) => ({ id, name: id })),
    },
  },
});
