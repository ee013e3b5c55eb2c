import { z } from "zod";
import { eventName, headers, id, time } from "#lib/api/contract/internal/answer-members.ts";
import { logSafe } from "#lib/base/log-safe.ts";
import { REDACTED } from "#lib/base/webhook-headers.ts";
import { ENDPOINT_FORMATS } from "#db/schema/endpoint-formats.ts";
import { FAILING_MAX_HOURS } from "#lib/webhooks/delivery-states.ts";

export const endpointFormat = logSafe(z.enum(ENDPOINT_FORMATS));

export const endpointSchema = z
  .strictObject({
    id: id.describe("Of the account's webhook_url, the account's id."),
    webhook_url: z.string().nullable(),
    events: z
      .array(eventName)
      .nullable()
      .describe(
        "The names of the events that it gets; null for all of them, as the account's webhook_url does.",
      ),
    headers: headers.describe(
      `The headers that each request also sends, by name. Values are never shown: "${REDACTED}" stands for each.`,
    ),
    format: endpointFormat.describe(
      "What it gets: event, the event itself; chat, a sentence about it, as Slack, Mattermost, and Discord (…/slack) take it.",
    ),
    state: logSafe(z.enum(["on", "off", "switched_off"])).describe(
      "on: events are sent. off: there is no webhook_url. switched_off: the server gave up on it.",
    ),
    switched_off_at: time
      .nullable()
      .describe("When the server gave up on the endpoint; null unless it is switched off."),
    switched_off_reason: logSafe(z.enum(["gone", "failing"]))
      .nullable()
      .describe(
        `gone: the endpoint answered 410. failing: no delivery succeeded for ${FAILING_MAX_HOURS} hours. Null unless it is switched off.`,
      ),
    failing_since: time
      .nullable()
      .describe("The first failure since the last success; null while deliveries succeed."),
    last_success_at: time
      .nullable()
      .describe("When a delivery last succeeded, to within ten seconds; null if none has."),
    last_failure_at: time.nullable().describe("When an attempt last failed; null if none has."),
    previous_secret_until: time
      .nullable()
      .describe(
        "Until when the secret that was rotated out last also signs; null if none does anymore.",
      ),
    source_addresses: z
      .array(logSafe(z.string()))
      .nullable()
      .describe("The IP addresses and CIDR blocks that webhooks come from; null if not stated."),
  })
  .meta({ id: "WebhookEndpoint" });
