import { moment } from "#lib/api/contract/fields.ts";

export const NOTIFICATIONS_OFF = ["webhook_url_missing", "notifications_switched_off"] as const;

const RECOVERABLE_MS = 30 * 24 * 3_600_000;

/** Since when missed events are resent. */
export const recoverableSince = moment
  .refine(
    (at) => at.getTime() <= Date.now() && at.getTime() >= Date.now() - RECOVERABLE_MS,
    "This field must be a time within the last 30 days.",
  )
  .describe("Only events created from this time on, which is within the last 30 days.");
