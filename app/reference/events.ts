import { readDocument } from "./document.ts";
import { toExample } from "./example.ts";
import { toMembers, toParameter } from "./members.ts";
import type { Member } from "./members.ts";
import type { DocumentedOperation } from "./schema.ts";
import { EVENTS } from "#lib/record/declared-events.ts";
import { EVENT_NAMES } from "#lib/record/event-catalog.ts";

/** An event in a list: its name, and when it is sent. */
export interface ListedEvent {
  name: string;
  when: string;
}

/** An event, as its page shows it. */
export interface ReferenceEvent extends ListedEvent {
  /** How it is sent, and what the receiver should do with it. */
  description: string | null;
  headers: readonly Member[];
  /** The members that every event has. */
  members: readonly Member[];
  /** `data` and its members, which only this event has. */
  data: Member;
  /** The body of the notification. */
  example: unknown;
}

/** Every event, in the order of the catalog. */
export function listEvents(): readonly ListedEvent[] {
  return EVENT_NAMES.map((name) => ({ name, when: EVENTS[name] }));
}

/** An event with everything that the document says about it; undefined for an unknown name. */
export function findEvent(name: string): ReferenceEvent | undefined {
  const notification = readDocument().events.get(name);
  return notification && toReference(name, notification);
}

function toReference(name: string, notification: DocumentedOperation): ReferenceEvent {
  const { schemas } = readDocument();
  const { schema, ...given } = notification.requestBody?.content["application/json"] ?? {};
  const members = schema ? toMembers(schema, schemas) : [];
  const data = members.find((member) => member.name === "data");
  if (!data) {
    throw new Error(`The OpenAPI document does not say what ${name} contains.`);
  }
  return {
    name,
    when: notification.summary,
    description: notification.description ?? null,
    headers: notification.parameters.map((parameter) => toParameter(parameter, schemas)),
    members: members.filter((member) => member !== data),
    data,
    example: toExample(given),
  };
}
