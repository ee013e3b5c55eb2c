import { sql } from "drizzle-orm";
import type { SQL } from "drizzle-orm";
import { SPEND_CATEGORY, SPEND_COUNTRY, SPEND_MERCHANT } from "#db/schema/spend.ts";

/**
 * Selects the purchases and the refunds among transfers, with the card, category, country, and merchant of each one's
 * transaction, which is found by the version that the transfer gave the card's account. A refund that was taken back is
 * a purchase, as in statements, and a purchase that was taken back a refund.
 * @param transfers the SQL after `from`: the transfers, with a condition.
 */
export function toSpend(transfers: SQL): SQL {
  return sql`(
    select moved.integrator_id, moved.created_at, moved.card_id, spent.category, spent.country, spent.merchant,
      case moved.kind when 'card_purchase' then moved.amount else 0 end as purchased,
      case moved.kind when 'card_refund' then moved.amount else 0 end as refunded
    from (
      select integrator_id, id, kind, amount, created_at,
        case kind when 'card_purchase' then debit_account_id else credit_account_id end as card_id
      from ${transfers}
    ) as moved
    cross join lateral (
      select account_version as version from entries
      where integrator_id = moved.integrator_id and transfer_id = moved.id and account_id = moved.card_id offset 0
    ) as entry
    cross join lateral (
      select ${SPEND_CATEGORY} as category, ${SPEND_COUNTRY} as country, ${SPEND_MERCHANT} as merchant from transactions
      where integrator_id = moved.integrator_id and card_id = moved.card_id and account_version = entry.version offset 0
    ) as spent
    where moved.kind in ('card_purchase', 'card_refund')
  )`;
}
