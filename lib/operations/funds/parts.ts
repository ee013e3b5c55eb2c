import { z } from "zod";
import { idSchema, optionalVerbatim, source } from "#lib/api/contract/fields.ts";
import { amountSchema } from "#lib/base/money-schemas.ts";

export const creditBody = z.strictObject({
  card_id: idSchema,
  amount: amountSchema.describe("How much to move, in minor units of the card's currency."),
  source,
  narrative: optionalVerbatim.describe(
    "Your text for the transaction, at most 255 characters; null without one.",
  ),
});

export const CREDIT_ERRORS = [
  "card_not_found",
  "card_closed",
  "card_expired",
  "insufficient_float",
  "balance_limit_exceeded",
  "books_unbalanced",
  "clock_advancing",
] as const;
