import { z } from "zod";
import { actorSchema } from "#lib/api/contract/internal/actor.ts";
import { API_VERSIONS } from "#lib/base/api-versions.ts";
import { logSafe } from "#lib/base/log-safe.ts";
import { REDACTED } from "#lib/base/webhook-headers.ts";
import { DELIVERY_STATES, FAILING_MAX_HOURS, FAILURES } from "#lib/webhooks/delivery-states.ts";
import { SIGNATURE_FAULTS } from "#lib/webhooks/signature-faults.ts";

const id = logSafe(z.uuid());
const time = logSafe(z.iso.datetime());
const members = z.record(z.string(), z.unknown());
const failure = logSafe(z.enum(Object.keys(FAILURES))).nullable();
const eventName = logSafe(z.string());
const headers = z.record(z.string(), z.string());

export const eventSchema = z
  .strictObject({
    id,
    event: eventName,
    api_version: logSafe(z.enum(API_VERSIONS)).describe(
      "The version in which the event is written.",
    ),
    environment: logSafe(z.enum(["sandbox", "live"])),
    created_at: time.describe("When it happened."),
    integrator_id: id.describe("The id of the account that the event belongs to."),
    subject: z
      .strictObject({
        type: logSafe(z.enum(["card", "float", "account", "cardholder"])).describe(
          "The kind of the subject.",
        ),
        id: id.describe("The id of the subject."),
      })
      .describe("What the event is about."),
    sequence: logSafe(z.int()).describe("Numbers the events of the subject from 1, without a gap."),
    request_id: z.string(),
    actor: actorSchema,
    data: members.describe("What happened; each event has its own members."),
    previous: members
      .nullable()
      .describe("The values before, of the members that changed; null where nothing changed."),
    checksum: z
      .string()
      .describe(
        "For older receivers: the upper-case hex HMAC-SHA256 of event|data, with data as JSON with sorted members, keyed with integrator_id. It authenticates nothing; verify the signature header instead.",
      ),
  })
  .meta({ id: "Event" });

const deliveryShape = {
  id: id.describe(
    "Of a delivery to the account's webhook_url, the event's id; of one to another endpoint, an id of its own.",
  ),
  endpoint_id: id.describe("The endpoint that it goes to; the account's id for webhook_url."),
  event_id: id.describe("The id of the event, sent to the receiver as webhook-id."),
  event: eventName,
  card_id: id.nullable().describe("The card that the event is about; null if it is about none."),
  state: logSafe(z.enum(DELIVERY_STATES)).describe(
    "pending: it will be tried. delivered: the endpoint answered 2xx. exhausted: every attempt failed. stopped: notifications were switched off before it arrived.",
  ),
  attempt_count: logSafe(z.int()).describe("How many attempts were begun, resends included."),
  next_attempt_at: time
    .nullable()
    .describe("When it is tried next; null unless the delivery is pending."),
  last_attempt_at: time.nullable().describe("When it was last tried; null if it never was."),
  last_status: logSafe(z.int())
    .nullable()
    .describe("The HTTP status of the last attempt; null if that got no answer."),
  last_failure: failure.describe("How the last attempt failed; null if it did not."),
  delivered_at: time.nullable().describe("When it arrived; null unless it is delivered."),
  created_at: time,
};

export const deliverySchema = z.strictObject(deliveryShape).meta({ id: "WebhookDelivery" });

const attemptSchema = z
  .strictObject({
    number: logSafe(z.int()).describe("Numbers the attempts of the delivery from 1."),
    url: z.string().describe("Where it was sent."),
    address: z
      .string()
      .nullable()
      .describe("The IP address connected to, or the last one tried; null if there was none."),
    started_at: time.describe("When the attempt began."),
    duration_ms: logSafe(z.int()).describe("How long the attempt took, in milliseconds."),
    status: logSafe(z.int())
      .nullable()
      .describe("The HTTP status of the response; null if there was none."),
    failure: failure.describe("How the attempt failed; null if it did not."),
    explanation: z.string().nullable(),
    detail: z
      .string()
      .nullable()
      .describe("The error as the network reported it; null if there was none."),
    request_headers: headers.describe("The headers that were sent."),
    response_headers: headers
      .nullable()
      .describe("The headers of the response; null if there was none."),
    response_body: z
      .string()
      .nullable()
      .describe(
        "The first 4 KiB of the response at most, decompressed; `binary` if it is not text, and null if there was none.",
      ),
  })
  .meta({ id: "WebhookAttempt" });

export const deliveryWithAttemptsSchema = z
  .strictObject({
    ...deliveryShape,
    request_body: z.string().describe("The body that every attempt sends, byte for byte."),
    attempts: z.array(attemptSchema).describe("The latest 100 attempts, newest first."),
  })
  .meta({ id: "WebhookDeliveryWithAttempts" });

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
  })
  .meta({ id: "WebhookEndpoint" });

export const inboxNotificationSchema = z
  .strictObject({
    id,
    received_at: time.describe("When it arrived."),
    event: eventName.nullable().describe("The event that the body names; null if it names none."),
    delivery_id: id
      .nullable()
      .describe("The delivery that webhook-id names; null if it names none of this account."),
    verified: logSafe(z.boolean()).describe("Whether the signature was valid on arrival."),
    secret: logSafe(z.enum(["current", "previous"]))
      .nullable()
      .describe("Which of your secrets signed it; null if none did."),
    failure: logSafe(z.enum(Object.keys(SIGNATURE_FAULTS)))
      .nullable()
      .describe("Why the signature is not verified; null if it is."),
    explanation: z.string().nullable(),
    headers: headers.describe(
      "The headers that matter: the content type, the user agent, and those of the webhook.",
    ),
    body: z.string().describe("The body as it arrived; U+FFFD replaces what is not UTF-8."),
  })
  .meta({ id: "InboxNotification" });
