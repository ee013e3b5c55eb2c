import { sql } from "drizzle-orm";
import { check } from "drizzle-orm/pg-core";

/** Constraints on the amounts of a transaction. */
export const AMOUNT_CHECKS = [
  check(
    "transactions_amount",
    sql`case type when 'verification' then amount = 0 and status in ('authorized', 'declined')
      else amount between 1 and 9007199254740991 end`,
  ),
  check(
    "transactions_requested",
    sql`requested_amount is null or coalesce(requested_amount > hold_amount, false)`,
  ),
  check(
    "transactions_merchant_amount",
    sql`num_nonnulls(merchant_amount, merchant_currency) = 0
      or coalesce(merchant_amount between 0 and 9007199254740991 and merchant_currency ~ '^[A-Z]{3}$'
        and type in ('deduct', 'verification'), false)`,
  ),
];
