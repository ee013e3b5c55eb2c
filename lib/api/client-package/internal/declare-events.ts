import type { Document } from "#lib/api/client-package/internal/document.ts";
import { toMember, toObjectText } from "#lib/api/client-package/internal/type-text.ts";
import type { Schema } from "#lib/api/client-package/internal/type-text.ts";
import { EVENTS } from "#lib/record/declared-events.ts";

/**
 * The union of all events, discriminated by `event`: the envelope that they share, and what each one's `data` is.
 */
export function declareEvents(document: Document): string {
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

/** @throws Error if the document does not describe the event, whose type would otherwise accept anything. */
function dataOf({ webhooks, components }: Document, name: string): Schema {
  const { $ref = "" } = webhooks[name]?.post.requestBody?.content["application/json"]?.schema ?? {};
  const event = components.schemas[$ref.slice($ref.lastIndexOf("/") + 1)];
  const data = event?.properties?.["data"];
  if (!data) {
    throw new Error(`The OpenAPI document lacks the data of ${name}.`);
  }
  return data;
}
