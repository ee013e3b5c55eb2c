import type { Document, PathItem } from "#lib/api/client-package/contract-types.ts";
import { toMember, toObjectText } from "#lib/api/client-package/type-text.ts";
import type { Schema } from "#lib/api/client-package/type-text.ts";
import { EVENTS } from "#lib/record/event-catalog.ts";

/**
 * The union of all events, discriminated by `event`: the envelope that they share, and what each one's `data` is.
 */
export function toEventTypes(document: Document): string {
  const { Event: envelope = {} } = document.components.schemas;
  const { event: _name, data: _data, ...shared } = envelope.properties ?? {};
  const required = Object.keys(shared);
  const data = Object.keys(EVENTS).map((name) => toMember(name, dataOf(document, name), false));
  return `export interface EventData {\n${data.join("")}}
export type EventName = keyof EventData;
export interface EventEnvelope ${toObjectText({ properties: shared, required })}
/** What happened, as it is listed and as a webhook receives it. \`event\` says which, and what \`data\` is. */
export type WebhookEvent = { [Name in EventName]: EventEnvelope & { event: Name; data: EventData[Name] } }[EventName];
export type Event = WebhookEvent;
`;
}

function dataOf({ webhooks, components }: Document, name: string): Schema {
  const schema = schemaOf(webhooks?.[name]?.post ?? {});
  const event = components.schemas[nameOf(schema)] ?? schema;
  return event.properties?.["data"] ?? { type: "object" };
}

function schemaOf({ requestBody }: Pick<PathItem, "requestBody">): Schema {
  return requestBody?.content["application/json"]?.schema ?? {};
}

function nameOf({ $ref = "" }: Schema): string {
  return $ref.slice($ref.lastIndexOf("/") + 1);
}
