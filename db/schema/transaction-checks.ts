import { sql } from "drizzle-orm";
import { check } from "drizzle-orm/pg-core";
import { toList } from "./columns.ts";
import { POSTED_AS } from "./posted-as.ts";

/** What is true of every transaction, whatever writes it. */
export const TRANSACTION_CHECKS = [
  check(
    "transactions_type",
    sql`type in ('credit', 'debit', 'deduct', 'deduct-reversal', 'verification')`,
  ),
  check(
    "transactions_status",
    sql`status in ('authorized', 'captured', 'settled', 'declined', 'reversed', 'expired')`,
  ),
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
  check(
    "transactions_settled",
    sql`(status = 'settled') = (settled_at is not null) and (status = 'settled') = (transfer_id is not null)`,
  ),
  check(
    "transactions_declined",
    sql`(status = 'declined') = (decline_reason is not null) and (decline_reason is null) = (decline_explanation is null)`,
  ),

  check(
    "transactions_counted",
    sql`(counted is null) = (counted_at is null) and counted between 0 and 9007199254740991
      and (counted is null or type = 'deduct' and status <> 'declined' and takes_back is null)`,
  ),
  check("transactions_version", sql`(status = 'settled') = (account_version is not null)`),
  check(
    "transactions_hold",
    sql`num_nonnulls(hold_amount, hold_captured, hold_released, hold_expires_at) = 0
      or coalesce(type = 'deduct' and authorization_id is null and hold_expires_at is not null
        and hold_amount >= 1 and hold_captured >= 0 and hold_released >= 0
        and hold_captured + hold_released <= hold_amount, false)`,
  ),
  check(
    "transactions_hold_status",
    sql`case status
      when 'authorized' then coalesce(hold_captured + hold_released < hold_amount, type = 'verification')
      when 'captured' then coalesce(hold_captured + hold_released = hold_amount, type = 'deduct' and approved_by is not null)
      when 'reversed' then coalesce(hold_released = hold_amount, false)
      when 'expired' then coalesce(hold_released = hold_amount, false)
      when 'declined' then hold_amount is null
      else hold_amount is null or hold_captured >= 1 end`,
  ),
  check(
    "transactions_refunded",
    sql`refunded between 0 and amount and (refunded = 0 or (type = 'deduct' and status = 'settled'))`,
  ),
  check(
    "transactions_refund",
    sql`case when type = 'deduct-reversal' and takes_back is null
      then refund_exceeds is not null and (refund_of is not null or refund_exceeds)
      else refund_of is null and refund_exceeds is null end`,
  ),

  check(
    "transactions_increment",
    sql`increment_of is null or (type = 'deduct' and (hold_amount is not null or status = 'declined'))`,
  ),
  check(
    "transactions_approved_by",
    sql`approved_by is null or (approved_by = 'network' and type in ('deduct', 'verification')
      and status <> 'declined' and authorization_id is null and takes_back is null and increment_of is null
      and num_nonnulls(refund_of, cover_of) = 0)`,
  ),
  check("transactions_overruled", sql`overruled_decline is null or approved_by is not null`),
  check("transactions_posted_as", sql`posted_as in ${toList(POSTED_AS)}`),
  check(
    "transactions_posted",
    sql`(posted_as is not null) = (type = 'deduct' and status = 'settled' and takes_back is null)`,
  ),
  check(
    "transactions_covered",
    sql`num_nonnulls(covered_float, covered_deficit) = 0 or coalesce((posted_as is not null or takes_back is not null and type = 'deduct') and covered_float >= 0
      and covered_deficit >= 0 and covered_float + covered_deficit between 1 and amount, false)`,
  ),
  check(
    "transactions_authorized_as",
    sql`authorized_as is null or (type = 'deduct' and status = 'settled')`,
  ),
  check(
    "transactions_cover",
    sql`cover_of is null or (type in ('credit', 'debit') and status = 'settled')`,
  ),
  check(
    "transactions_contra",
    sql`takes_back is null or (type in ('deduct', 'deduct-reversal') and status = 'settled' and authorization_id is null
      and hold_amount is null and refunded = 0 and taken_back = 0)`,
  ),
  check(
    "transactions_taken_back",
    sql`taken_back = 0 or (taken_back = amount and type in ('deduct', 'deduct-reversal') and status = 'settled')`,
  ),
];
