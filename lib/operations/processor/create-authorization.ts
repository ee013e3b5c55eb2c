import { z } from "zod";
import { logSafe } from "#lib/base/log-safe.ts";
import { idSchema } from "#lib/api/contract/fields.ts";
import { CHARGE_IS_WHOLE, requireWholeCharge } from "#lib/api/contract/merchant-charge.ts";
import { amountOrZeroSchema, currencySchema } from "#lib/base/money-schemas.ts";
import { operation } from "#lib/operations/operation.ts";
import {
  SHARED_ERRORS,
  anyReference,
  decisionShape,
  occurredAt,
  reference,
  sentCharge,
  sentDescription,
} from "#lib/operations/processor/parts.ts";
import { IDS, NETWORK_PURCHASE } from "#lib/api/contract/samples.ts";
import { HOLD_LIFE_S } from "#lib/transactions/transaction-kinds.ts";

const EXPIRES_IN_MAX_S = 30 * 24 * 60 * 60;

export const createAuthorization = operation({
  id: "createAuthorization",
  method: "POST",
  path: "/processor/authorizations",
  summary: "Authorize a purchase: the amount is held on the card, or declined; or verify a card",
  description:
    "A decline is an answer too: 200, with the decision declined and its reason. A repeat with the same reference gets the first decision. It asks only for what it adds to captures and reversals that came first. An advice is recorded, or kept for the operator and answered with fact_unmatched.",
  kind: "processor",
  scope: "processor",
  body: z
    .strictObject({
      reference,
      advice: logSafe(z.boolean())
        .default(false)
        .describe(
          "Whether the network has approved it in our place: it is recorded, and never declined. An active card holds what it has available of it.",
        ),
      authorization_reference: anyReference
        .optional()
        .describe(
          "For an advice, the reference of the authorization that the network had asked for. Without one, that is reference.",
        ),
      card_id: idSchema,
      amount: amountOrZeroSchema.describe(
        "What is billed to the card, in minor units. 0 verifies the card: it is decided by the same rules, and nothing is held.",
      ),
      currency: currencySchema,
      allow_partial: logSafe(z.boolean()).default(false),
      ...sentDescription,
      ...sentCharge,
      occurred_at: occurredAt,
      expires_in: z
        .int("This field must be a whole number of seconds.")
        .min(1, "This field must be at least 1.")
        .max(EXPIRES_IN_MAX_S, `This field must be at most ${EXPIRES_IN_MAX_S}.`)
        .default(HOLD_LIFE_S)
        .describe("Seconds until the uncaptured amount is released."),
    })
    .refine((body) => body.advice || body.authorization_reference === undefined, {
      path: ["authorization_reference"],
      message: "This field is allowed with advice: true only.",
    })
    .check(({ value, issues }) => requireWholeCharge(value, { issues }))
    .meta({
      ...CHARGE_IS_WHOLE,
      if: {
        properties: { authorization_reference: {} },
        required: ["authorization_reference"],
      },
      // oxlint-disable-next-line unicorn/no-thenable -- a keyword of JSON Schema.
      then: { properties: { advice: { const: true } }, required: ["advice"] },
    }),
  answer: z.strictObject({
    id: z.uuid().nullable().describe("The authorization; null when the card is unknown."),
    ...decisionShape,
  }),
  errors: [...SHARED_ERRORS, "fact_unmatched"],
  examples: [
    {
      body: {
        reference: "auth-8842",
        card_id: IDS.card,
        amount: 50,
        currency: "USD",
        ...NETWORK_PURCHASE,
      },
      answer: {
        id: IDS.authorization,
        decision: "approved",
        decline_reason: null,
        amount: 50,
        requested_amount: null,
        available: 1_950,
      },
    },

    { body: { reference: "auth-8843", card_id: IDS.card, amount: 1_000_000_000, currency: "USD" } },
    {
      body: {
        reference: "auth-8845",
        card_id: IDS.card,
        amount: 1_000_000_000,
        currency: "USD",
        allow_partial: true,
      },
    },
    {
      body: {
        reference: "auth-8846",
        card_id: IDS.card,
        amount: 54,
        currency: "USD",
        merchant_amount: 50,
        merchant_currency: "EUR",
      },
    },
    {
      body: {
        reference: "advice-8847",
        advice: true,
        authorization_reference: "auth-8847",
        card_id: IDS.card,
        amount: 50,
        currency: "USD",
      },
    },
    { body: { reference: "auth-8844", card_id: IDS.card, amount: 0, currency: "USD" } },
  ],
});
