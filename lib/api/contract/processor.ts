import { z } from "zod";
import { merchant, verbatim } from "#lib/api/contract/fields.ts";
import { operation } from "#lib/api/contract/operation.ts";
import { floatSchema, transactionSchema } from "#lib/api/contract/resources.ts";
import { HOLD_LIFE_S } from "#lib/transactions/transaction-kinds.ts";
import { idSchema } from "#lib/base/id-schema.ts";
import { amountSchema, currencySchema } from "#lib/base/money-schemas.ts";

/** The card network's side. Repeats are told by `reference`, the sender's own id, unique forever over all of these. */

const REFERENCE = "This field must be 1 to 255 visible ASCII characters.";
const EXPIRES_IN_MAX_S = 30 * 24 * 60 * 60;

const reference = z
  .string()
  .regex(/^[!-~]{1,255}$/u, REFERENCE)
  .describe("The sender's own id of this operation, unique forever.");
const narrative = verbatim.nullable().default(null);

const SHARED_ERRORS = ["reference_reused", "idempotency_in_progress", "books_unbalanced"] as const;

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
  summary: "Ask for an authorization: the amount is held on the card, or declined",
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
      .describe("Seconds until what was not captured is let go of."),
  }),
  answer: z.strictObject({
    id: z.uuid().nullable().describe("The authorization; null when the card is nobody's."),
    decision: z.enum(["approved", "declined"]),
    decline_reason: z.string().nullable(),
    available: z.int().nullable().describe("What the card has available right after."),
  }),
  errors: [...SHARED_ERRORS, "overloaded"],
});

export const createCapture = operation({
  id: "createCapture",
  method: "POST",
  path: "/processor/authorizations/{id}/captures",
  summary: "Capture an authorization, whole or in parts",
  kind: "processor",
  scope: "processor",
  notFound: "authorization_not_found",
  body: z.strictObject({
    reference,
    amount: amountSchema
      .optional()
      .describe(
        "Left out: all that is held still. May exceed that by the installation's tolerance, but not while the card is frozen.",
      ),
    final: z
      .boolean()
      .default(false)
      .describe("Nothing more will be captured: the rest is let go of."),
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
  summary: "Let go of what an authorization holds, or of a part of it",
  kind: "processor",
  scope: "processor",
  notFound: "authorization_not_found",
  body: z.strictObject({
    reference,
    amount: amountSchema.optional().describe("Left out: all that is held still."),
  }),
  answer: z.strictObject({ data: transactionSchema }),
  errors: [...SHARED_ERRORS, ...HOLD_ERRORS, "reversal_exceeds_hold", "balance_limit_exceeded"],
});

export const createRefund = operation({
  id: "createRefund",
  method: "POST",
  path: "/processor/refunds",
  summary: "Give money of a settled purchase back to its card",
  kind: "processor",
  scope: "processor",
  body: z.strictObject({
    reference,
    card_id: idSchema,
    amount: amountSchema,
    transaction_id: idSchema
      .optional()
      .describe("Left out: the newest purchase of which that much has not been given back."),
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
  summary: "Tell of money that came into an integrator's float",
  kind: "processor",
  scope: "processor",
  body: z.strictObject({ reference, integrator_id: idSchema, amount: amountSchema }),
  answer: z.strictObject({ data: floatSchema }),
  errors: [...SHARED_ERRORS, "integrator_not_found", "balance_limit_exceeded"],
});
