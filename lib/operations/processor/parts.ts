import { z } from "zod";
import { moment } from "#lib/api/contract/fields.ts";
import { merchantCharge } from "#lib/api/contract/merchant-charge.ts";
import { logSafe } from "#lib/base/log-safe.ts";
import { amountOrZeroSchema, amountSchema } from "#lib/base/money-schemas.ts";

/**
 * The operations of the card network. A repeat is recognized by `reference`, the sender's own id, which is unique
 * forever across all of them.
 */

export const REFERENCE = "This field must be 1 to 255 visible ASCII characters.";

export const anyReference = z.string().regex(/^[!-~]{1,255}$/u, REFERENCE);

export const reference = anyReference.describe(
  "The sender's own id for this operation, unique forever.",
);

export const authorizationReference = anyReference.describe(
  "The reference of the authorization, for a sender that did not get its id.",
);

const CAPTURED_MIN =
  "This field must be at least 1, or 0 with final: true, which releases what is still held.";

/** What is captured. */
export const captured = amountOrZeroSchema;

/** Refuses the amount 0, except for a capture that ends its authorization. */
export function requireEnd(
  { amount, final, ...named }: { amount?: number | undefined; final: boolean },
  issues: z.core.$ZodRawIssue[],
): void {
  if (amount === 0 && !final) {
    issues.push({
      code: "custom",
      input: { amount, final, ...named },
      path: ["amount"],
      message: CAPTURED_MIN,
    });
  }
}

/** In the document: 0 captures nothing, so it has to end the authorization that it names. */
export function zeroNeeds(...required: readonly string[]) {
  return {
    if: { properties: { amount: { const: 0 } }, required: ["amount"] },
    // oxlint-disable-next-line unicorn/no-thenable -- a keyword of JSON Schema.
    then: {
      properties: {
        final: { const: true },
        ...Object.fromEntries(required.map((name) => [name, {}])),
      },
      required: ["final", ...required],
    },
  };
}

/** What a reversal releases. */
export const released = amountSchema
  .optional()
  .describe("How much to release, in minor units. Default: the whole remaining hold.");

/** Text from the merchant. It is cleaned, and never a reason to refuse a request. */
const sentText = z.string().nullable().default(null);

/** A code from the merchant. Some gateways send one that is all digits as a number. */
const sentCode = z
  .union([z.string(), z.int().transform(String)])
  .nullable()
  .default(null);

/** The merchant's description of a purchase. The text is cleaned; see `cleanDescription`. */
export const sentDescription = {
  narrative: sentText.describe(
    "Any text. Control characters become spaces, and what exceeds 255 characters is cut off.",
  ),
  merchant: z
    .strictObject({
      name: sentText.describe("Any text. Without a name, the merchant is called Unknown merchant."),
      mcc: sentCode.describe("The ISO 18245 merchant category; dropped unless it is four digits."),
      city: sentText.describe("Dropped if it is a phone number, a URL, or an email address."),
      country: sentCode.describe(
        "An ISO 3166-1 code: alpha-2, alpha-3, or numeric. Stored as alpha-2, and dropped if it is none of them.",
      ),
    })
    .nullable()
    .default(null)
    .describe(
      "Never a reason to refuse a request: what cannot be stored is cleaned, and kept in as_received of the transaction.",
    ),
};

/** What the merchant charged in its own currency. The network's code for it is read in each of its forms. */
export const sentCharge = {
  merchant_amount: merchantCharge.merchant_amount,
  merchant_currency: z
    .union([z.string(), z.int().transform(String)])
    .optional()
    .describe(
      "The currency of merchant_amount, as its ISO 4217 code: letters, or its number. Required with it. An unknown one is dropped together with the amount, and kept in as_received.",
    ),
};

/** When it happened by the network's clock. */
export const occurredAt = logSafe(moment)
  .optional()
  .describe(
    "When it happened by the network's clock, in RFC 3339. Deadlines, statements, and order follow ours.",
  );

/** The decision about a request, without the id of its record. Amounts in minor units. */
export const decisionShape = {
  decision: z.enum(["approved", "declined"]).describe("Whether the card pays."),
  decline_reason: z
    .string()
    .nullable()
    .describe("The rule that declined it, as on the transaction; null if it is approved."),
  amount: z
    .int()
    .describe(
      "What the authorization is approved for in all, right after, in minor units; 0 if it is declined.",
    ),
  requested_amount: z
    .int()
    .nullable()
    .describe(
      "What was asked for in all, in minor units, when an authorization was approved only in part. Null otherwise.",
    ),
  available: z
    .int()
    .nullable()
    .describe(
      "The card's available balance right after, in minor units; null when the card is unknown.",
    ),
};

export const SHARED_ERRORS = [
  "reference_reused",
  "idempotency_in_progress",
  "clock_advancing",
] as const;

export const HOLD_ERRORS = [
  "authorization_captured",
  "authorization_reversed",
  "authorization_expired",
  "authorization_declined",
] as const;
