import { z } from "zod";
import { verbatim } from "#lib/api/contract/fields.ts";

/**
 * The card network's side. Repeats are recognized by `reference`, the sender's own id, which is
 * unique forever across all of these operations.
 */

export const REFERENCE = "This field must be 1 to 255 visible ASCII characters.";

export const reference = z
  .string()
  .regex(/^[!-~]{1,255}$/u, REFERENCE)
  .describe("The sender's own id for this operation, unique forever.");

export const narrative = verbatim.nullable().default(null);

export const SHARED_ERRORS = [
  "reference_reused",
  "idempotency_in_progress",
  "books_unbalanced",
  "clock_advancing",
] as const;

export const HOLD_ERRORS = [
  "authorization_captured",
  "authorization_reversed",
  "authorization_expired",
  "authorization_declined",
] as const;
