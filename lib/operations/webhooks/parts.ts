import { z } from "zod";
import { idSchema } from "#lib/api/contract/fields.ts";
import { timeOrDay } from "#lib/api/contract/filters.ts";
import { webhookUrlSchema } from "#lib/base/account-fields.ts";
import { logSafe } from "#lib/base/log-safe.ts";
import { SELECTABLE_EVENTS } from "#lib/webhooks/selectable-events.ts";

export const NOTIFICATIONS_OFF = ["webhook_url_missing", "notifications_switched_off"] as const;

/** The endpoint that an operation is about. Default: the account's `webhook_url`. */
export const endpointId = idSchema
  .optional()
  .describe("The endpoint concerned. Without it, the account's webhook_url.");

/** The members of an additional endpoint. */
export const FURTHER_ENDPOINT_MEMBERS = {
  webhook_url: webhookUrlSchema.describe(
    "Where its events are sent: an https URL; http is allowed in the sandbox.",
  ),
  events: z
    .array(
      logSafe(
        z.enum(SELECTABLE_EVENTS, `Each event must be one of ${SELECTABLE_EVENTS.join(", ")}.`),
      ),
    )
    .min(1, "This field must name at least one event.")
    .max(SELECTABLE_EVENTS.length, "This field must name each event once.")
    .describe("The names of the events that it gets."),
} as const;

const RECOVERABLE_MS = 30 * 24 * 3_600_000;

/** Since when missed events are resent. */
export const recoverableSince = timeOrDay
  .refine(
    (at) => at.getTime() <= Date.now() && at.getTime() >= Date.now() - RECOVERABLE_MS,
    "This field must be a time within the last 30 days.",
  )
  .meta({ "x-rule": "A time within the last 30 days." })
  .describe(
    "Only events created from this time on, which is within the last 30 days. A day means its start in UTC.",
  );
