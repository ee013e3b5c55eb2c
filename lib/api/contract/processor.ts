import { z } from "zod";
import { merchant, verbatim, idSchema } from "#lib/api/contract/fields.ts";
import { operation } from "#lib/api/contract/operation.ts";
import { floatSchema, transactionSchema } from "#lib/api/contract/resources.ts";
import { HOLD_LIFE_S } from "#lib/transactions/transaction-kinds.ts";
import { amountSchema, currencySchema } from "#lib/base/money-schemas.ts";

/**
 * The card network's side. Repeats are recognized by `reference`, the sender's own id, which is
 * unique forever across all of these operations.
 */

const REFERENCE = "This field must be 1 to 255 visible ASCII characters.";
const EXPIRES_IN_MAX_S = 30 * 24 * 60 * 60;

const reference = z
  .string()
  .regex(/^[!-~]{1,255}$/u, REFERENCE)
  .describe("The sender's own id for this operation, unique forever.");
const narrative = verbatim.nullable().default(null);

const SHARED_ERRORS = [
  "reference_reused",
  "idempotency_in_progress",
  "books_unbalanced",
  "clock_advancing",
] as const;

const HOLD_ERRORS = [
  "authorization_captured",
  "authorization_reversed",
  "authorization_expired",
  "authorization_declined",
] as const;

export const createAuthorization = operation({
  id: "createAuthorization",
  method: "POST",
  path: "/processor/authorizations",
  summary: "Authorize a purchase: the amount is held on the card, or declined",
  kind: "processor",
  scope: "processor",
  body: z.strictObject({
    reference,
    card_id: idSchema,
    amount: amountSchema,
    currency: currencySchema,
    narrative,
    merchant: merchant.nullable().default(null),
    expires_in: z
      .int("This field must be a whole number of seconds.")
      .min(1, "This field must be at least 1.")
      .max(EXPIRES_IN_MAX_S, `This field must be at most ${EXPIRES_IN_MAX_S}.`)
      .default(HOLD_LIFE_S)
      .describe("Seconds until the uncaptured amount is released."),
  }),
  answer: z.strictObject({
    id: z.uuid().nullable().describe("The authorization; null when the card is unknown."),
    decision: z.enum(["approved", "declined"]),
    decline_reason: z.string().nullable(),
    available: z.int().nullable().describe("The card's available balance right after."),
  }),
  errors: [...SHARED_ERRORS, "overloaded"],
});

export const createCapture = operation({
  id: "createCapture",
  method: "POST",
  path: "/processor/authorizations/{id}/captures",
  summary: "Capture an authorization, in full or in part",
  kind: "processor",
  scope: "processor",
  notFound: "authorization_not_found",
  body: z.strictObject({
    reference,
    amount: amountSchema
      .optional()
      .describe(
        "Default: the whole remaining hold. May exceed the hold by the installation's tolerance, but not while the card is frozen.",
      ),
    final: z
      .boolean()
      .default(false)
      .describe("Nothing more will be captured: the rest of the hold is released."),
  }),
  answer: z.strictObject({ data: transactionSchema }),
  errors: [
    ...SHARED_ERRORS,
    ...HOLD_ERRORS,
    "capture_exceeds_authorization",
    "insufficient_card_balance",
    "balance_limit_exceeded",
  ],
});

export const createReversal = operation({
  id: "createReversal",
  method: "POST",
  path: "/processor/authorizations/{id}/reversals",
  summary: "Reverse an authorization: release its hold, in full or in part",
  kind: "processor",
  scope: "processor",
  notFound: "authorization_not_found",
  body: z.strictObject({
    reference,
    amount: amountSchema.optional().describe("Default: the whole remaining hold."),
  }),
  answer: z.strictObject({ data: transactionSchema }),
  errors: [...SHARED_ERRORS, ...HOLD_ERRORS, "reversal_exceeds_hold", "balance_limit_exceeded"],
});

export const createRefund = operation({
  id: "createRefund",
  method: "POST",
  path: "/processor/refunds",
  summary: "Refund a settled purchase to its card",
  kind: "processor",
  scope: "processor",
  body: z.strictObject({
    reference,
    card_id: idSchema,
    amount: amountSchema,
    transaction_id: idSchema
      .optional()
      .describe("Default: the newest purchase with at least that much not yet refunded."),
    narrative,
    merchant: merchant.nullable().default(null),
  }),
  answer: z.strictObject({ data: transactionSchema }),
  errors: [
    ...SHARED_ERRORS,
    "card_not_found",
    "transaction_not_found",
    "transaction_not_settled",
    "refund_exceeds_purchase",
    "balance_limit_exceeded",
  ],
});

export const createFunding = operation({
  id: "createFunding",
  method: "POST",
  path: "/processor/funding",
  summary: "Report funds received for an integrator's float",
  kind: "processor",
  scope: "processor",
  body: z.strictObject({ reference, integrator_id: idSchema, amount: amountSchema }),
  answer: z.strictObject({ data: floatSchema }),
  errors: [...SHARED_ERRORS, "integrator_not_found", "balance_limit_exceeded"],
});
