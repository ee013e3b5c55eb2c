import { EVENTS } from "#lib/record/declared-events.ts";

export type EventName = keyof typeof EVENTS;

export function isEventName(name: string): name is EventName {
  return Object.hasOwn(EVENTS, name);
}

export const EVENT_NAMES: readonly EventName[] = Object.keys(EVENTS).filter(isEventName);
