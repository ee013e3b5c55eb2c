import { z } from "zod";
import { idSchema, metadata, optionalId, source, text } from "#lib/api/contract/fields.ts";
import { cardSchema, CARD } from "#lib/api/contract/card.ts";
import { logSafe } from "#lib/base/log-safe.ts";
import { currencySchema } from "#lib/base/money-schemas.ts";
import { operation } from "#lib/operations/operation.ts";
import { IDS } from "#lib/api/contract/samples.ts";

const VALIDITY_DAYS_MAX = 1_825;

export const createVirtualCard = operation({
  id: "createVirtualCard",
  method: "POST",
  path: "/cards/create-virtual-card",
  summary: "Create an active virtual card with a zero balance for a registered user",
  description: "The card has no funds until it is credited.",
  attempt: "create a card",
  kind: "write",
  scope: "cards:write",
  body: z.strictObject({
    user_id: idSchema,
    currency: currencySchema,
    design_type: text(),
    single_use: logSafe(z.boolean()),
    source,
    card_integrator_id: optionalId.describe(
      "The id of your account, if any; another id is refused with integrator_not_found.",
    ),
    validity: logSafe(
      z
        .int("This field must be a whole number of days.")
        .min(1, "This field must be at least 1.")
        .max(VALIDITY_DAYS_MAX, `This field must be at most ${VALIDITY_DAYS_MAX}.`),
    ).describe("For how many days the card is valid, by the clock of the account."),
    metadata: metadata.optional(),
  }),
  status: 201,
  answer: z.strictObject({ data: cardSchema }),
  errors: [
    "user_not_found",
    "user_archived",
    "user_erased",
    "integrator_not_found",
    "currency_mismatch",
    "clock_advancing",
  ],
  examples: [
    {
      body: {
        user_id: IDS.user,
        currency: "USD",
        design_type: "midnight",
        single_use: false,
        validity: 365,
        metadata: { order_id: "4711" },
      },
      answer: { data: { ...CARD, balance: 0, available: 0 } },
    },
  ],
});
