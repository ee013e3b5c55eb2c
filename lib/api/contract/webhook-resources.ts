import { z } from "zod";
import { actorSchema } from "#lib/api/contract/resources.ts";
import { API_VERSIONS } from "#lib/base/api-versions.ts";
import { logSafe } from "#lib/base/log-safe.ts";
import { DELIVERY_STATES, FAILURES } from "#lib/webhooks/delivery-states.ts";
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
    api_version: logSafe(z.enum(API_VERSIONS)),
    environment: logSafe(z.enum(["sandbox", "live"])),
    created_at: time,
    integrator_id: id,
    subject: z.strictObject({
      type: logSafe(z.enum(["card", "float", "account", "cardholder"])),
      id,
    }),
    sequence: logSafe(z.int()).describe("Counts the subject's events from 1 without a gap."),
    request_id: z.string().describe("Of the request that caused the event."),
    actor: actorSchema,
    data: members,
    previous: members.nullable().describe("The old values of what changed."),
    checksum: z.string().describe("For older receivers; verify the signature header instead."),
  })
  .meta({ id: "Event" });

const deliveryShape = {
  id: id.describe("The event's id, sent to the receiver as webhook-id."),
  event: eventName,
  card_id: id.nullable(),
  state: logSafe(z.enum(DELIVERY_STATES)),
  attempt_count: logSafe(z.int()),
  next_attempt_at: time.nullable().describe("Null unless the delivery is pending."),
  last_attempt_at: time.nullable(),
  last_status: logSafe(z.int()).nullable(),
  last_failure: failure,
  delivered_at: time.nullable(),
  created_at: time,
};

export const deliverySchema = z.strictObject(deliveryShape).meta({ id: "WebhookDelivery" });

const attemptSchema = z
  .strictObject({
    number: logSafe(z.int()),
    url: z.string(),
    address: z
      .string()
      .nullable()
      .describe("The network address connected to, or the last one tried."),
    started_at: time,
    duration_ms: logSafe(z.int()),
    status: logSafe(z.int()).nullable(),
    failure,
    explanation: z.string().nullable().describe("The failure in words."),
    detail: z.string().nullable(),
    request_headers: headers,
    response_headers: headers.nullable(),
    response_body: z
      .string()
      .nullable()
      .describe("The first 4 KiB at most, decompressed; `binary` if it is not text."),
  })
  .meta({ id: "WebhookAttempt" });

export const deliveryWithAttemptsSchema = z
  .strictObject({
    ...deliveryShape,
    request_body: z.string().describe("The body sent, byte for byte."),
    attempts: z.array(attemptSchema).describe("Newest first."),
  })
  .meta({ id: "WebhookDeliveryWithAttempts" });

export const endpointSchema = z
  .strictObject({
    webhook_url: z.string().nullable(),
    state: logSafe(z.enum(["on", "off", "switched_off"])),
    switched_off_at: time.nullable(),
    switched_off_reason: logSafe(z.enum(["gone", "failing"])).nullable(),
    failing_since: time.nullable(),
    last_success_at: time.nullable(),
    last_failure_at: time.nullable(),
    previous_secret_until: time
      .nullable()
      .describe("Until when the secret that was rotated out last also signs."),
  })
  .meta({ id: "WebhookEndpoint" });

export const inboxNotificationSchema = z
  .strictObject({
    id,
    received_at: time,
    event: eventName.nullable().describe("Null unless the body names an event."),
    delivery_id: id.nullable().describe("The delivery that webhook-id names."),
    verified: logSafe(z.boolean()),
    secret: logSafe(z.enum(["current", "previous"]))
      .nullable()
      .describe("The secret that signed it."),
    failure: logSafe(z.enum(Object.keys(SIGNATURE_FAULTS)))
      .nullable()
      .describe("Why the signature is not verified."),
    explanation: z.string().nullable().describe("The failure in words."),
    headers,
    body: z.string(),
  })
  .meta({ id: "InboxNotification" });
