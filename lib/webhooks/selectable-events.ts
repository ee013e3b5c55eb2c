import { EVENT_NAMES } from "#lib/record/event-catalog.ts";
import type { EventName } from "#lib/record/event-catalog.ts";

/** An event that an endpoint may select: any except a test, which goes to one endpoint on request. */
export type SelectableEvent = Exclude<EventName, "webhook.test">;

/** Every such event. */
export const SELECTABLE_EVENTS = EVENT_NAMES.filter(
  (name): name is SelectableEvent => name !== "webhook.test",
);
