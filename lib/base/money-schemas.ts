import { z } from "zod";
import { logSafe } from "#lib/base/log-safe.ts";
import { CURRENCIES } from "#lib/base/currencies.ts";
import { AMOUNT_MAX } from "#lib/base/money.ts";

/** What an amount must be, for a caller who sent 20.00 or "20". */
export const MINOR_UNITS = "This field must be a whole number of the minor unit: 2000 is $20.00.";

/** The members of request bodies that are amounts, so that the body parser can explain how to write `20.00`. */
export const AMOUNT_MEMBERS: ReadonlySet<string> = new Set([
  "amount",
  "low_balance_threshold",
  "merchant_amount",
]);

/** An amount to move: a whole number of minor units (cents), from 1 to 1,000,000,000,000. */
export const amountSchema = amountFrom(1);

/** The same, or 0. */
export const amountOrZeroSchema = amountFrom(0);

function amountFrom(min: number) {
  return logSafe(
    z
      .int(MINOR_UNITS)
      .min(min, `This field must be at least ${min}.`)
      .max(AMOUNT_MAX, `This field must be at most ${AMOUNT_MAX}.`),
  );
}

/** An upper-case code of ISO 4217, of a currency with a minor unit. */
export const currencySchema = logSafe(
  z
    .string()
    .refine(
      (code) => CURRENCIES.includes(code),
      "This field must be an ISO 4217 currency code, for example USD.",
    )
    .meta({ pattern: "^[A-Z]{3}$", "x-rule": "A currency of ISO 4217 with a minor unit." }),
);
