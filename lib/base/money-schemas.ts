import { z } from "zod";
import { AMOUNT_MAX } from "#lib/base/money.ts";

/** An amount to move: a whole number of minor units (cents), from 1 to 1,000,000,000,000. */
export const amountSchema = z
  .int("This field must be a whole number of minor units.")
  .min(1, "This field must be at least 1.")
  .max(AMOUNT_MAX, `This field must be at most ${AMOUNT_MAX}.`);

/** An upper-case ISO 4217 code that this machine's currency tables contain. */
export const currencySchema = z
  .string()
  .refine(
    (code) => CURRENCIES.has(code),
    "This field must be an ISO 4217 currency code, for example USD.",
  );

const CURRENCIES: ReadonlySet<string> = new Set(Intl.supportedValuesOf("currency"));
