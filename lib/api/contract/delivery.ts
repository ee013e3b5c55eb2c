import { z } from "zod";
import { eventName, headers, id, time } from "#lib/api/contract/internal/answer-members.ts";
import { logSafe } from "#lib/base/log-safe.ts";
import { DELIVERY_STATES, FAILURES } from "#lib/webhooks/delivery-states.ts";

const failure = logSafe(z.enum(Object.keys(FAILURES))).nullable();

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
