import { env } from "#lib/base/env.ts";
import { EVENTS } from "#lib/record/declared-events.ts";
import { toEventBody } from "#lib/record/event-body.ts";
import type { StoredEvent } from "#lib/record/event-body.ts";
import { isEventName } from "#lib/record/event-catalog.ts";
import type { EndpointFormat } from "#db/schema/endpoint-formats.ts";

/** The body that an endpoint of this format receives for an event. */
export function toNotificationBody(format: EndpointFormat, event: StoredEvent): string {
  return format === "chat" ? toChatBody(event) : toEventBody(event);
}

/**
 * Says what happened and where to see it. Leaves out names and amounts, because a chat does not know its readers'
 * roles. The format is Slack's, which Mattermost and Discord accept, too
 * (https://docs.slack.dev/messaging/sending-messages-using-incoming-webhooks).
 */
function toChatBody({ id, event, environment }: StoredEvent): string {
  const sentence = isEventName(event) ? EVENTS[event].replaceAll("`", "") : event;
  const place = environment === "live" ? "" : "Sandbox: ";
  const text = `${place}${sentence}\n${env().publicUrl}/developers/events/${id}`;
  return JSON.stringify({ text });
}
