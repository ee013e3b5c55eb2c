import { EVENT_NAMES } from "#lib/record/event-catalog.ts";
import type { EventName } from "#lib/record/event-catalog.ts";

/** An event that an endpoint may ask for. A test goes to one endpoint, on request. */
export type SelectableEvent = Exclude<EventName, "webhook.test">;

/** Every such event. */
export const SELECTABLE_EVENTS = EVENT_NAMES.filter(
  (name): name is SelectableEvent => name !== "webhook.test",
);
