import type { z } from "zod";
import { amountOrZeroSchema, currencySchema } from "#lib/base/money-schemas.ts";
import type { PurchaseDescription } from "#lib/transactions/card-transaction-records.ts";

/** What the merchant charged in its own currency, in addition to the amount billed in the card's currency. */
export const merchantCharge = {
  merchant_amount: amountOrZeroSchema.optional(),
  merchant_currency: currencySchema
    .optional()
    .describe(
      "The currency of merchant_amount, as the letters of its ISO 4217 code. Required with it.",
    ),
};

/** For the document: each of the two members requires the other. */
export const CHARGE_IS_WHOLE = {
  dependentRequired: {
    merchant_amount: ["merchant_currency"],
    merchant_currency: ["merchant_amount"],
  },
};

/** Requires both members of a merchant's charge, or neither. */
export function requireWholeCharge(
  body: { merchant_amount?: number | undefined; merchant_currency?: string | undefined },
  context: { issues: z.core.$ZodRawIssue[] },
): void {
  const [one, other] = ["merchant_amount", "merchant_currency"] as const;
  for (const [given, missing] of [
    [one, other],
    [other, one],
  ] as const) {
    if (body[given] !== undefined && body[missing] === undefined) {
      context.issues.push({
        code: "custom",
        input: body,
        path: [given],
        message: `This field is allowed with ${missing} only.`,
      });
    }
  }
}

interface DescribedBody extends z.output<z.ZodObject<typeof merchantCharge>> {
  narrative: string | null;
  merchant: PurchaseDescription["merchant"];
  occurred_at?: Date | undefined;
}

/** Converts a request's description of a purchase to the domain's. */
export function toDescription(body: DescribedBody): PurchaseDescription {
  const { narrative, merchant, merchant_amount: amount, merchant_currency: currency } = body;
  return {
    narrative,
    merchant,
    charged: amount === undefined || currency === undefined ? null : { amount, currency },
    occurredAt: body.occurred_at ?? null,
  };
}
