import { sql } from "drizzle-orm";
import type { Db } from "#db/client.ts";
import type { Tx } from "#db/transaction.ts";

/** Where the overview's sums (rollups plus later rows) differ from sums over all rows, in one statement. */
export async function findRollupFaults(db: Db | Tx): Promise<unknown[]> {
  const since = sql`coalesce((select xid from rollup_checkpoints), '0'::xid8)`;
  return db.execute(sql`
    select integrator_id, what, sum(rolled) as rolled, sum(counted) as counted from (
      select integrator_id, extract(epoch from quarter) || ' ' || kind as what, amount as rolled, 0 as counted from transfer_rollups
      union all
      select integrator_id, extract(epoch from date_bin('15 minutes', created_at, 'epoch')) || ' ' || kind,
        case when xid >= ${since} then amount else 0 end, amount from transfers
      union all
      select integrator_id, span || ' ' || extract(epoch from start) || ' ' || category || ' ' || country || ' ' || sum.name,
        sum.amount, 0
      from spend_rollups cross join lateral (
        values ('purchased', purchased), ('refunded', refunded), ('transactions', transactions)
      ) as sum (name, amount)
      union all
      select integrator_id, span || ' ' || extract(epoch from date_bin(length, settled_at, 'epoch')) || ' '
          || coalesce(merchant ->> 'mcc', 'unknown') || ' ' || coalesce(merchant ->> 'country', 'unknown') || ' ' || sum.name,
        case when xid >= ${since} then sum.amount else 0 end, sum.amount
      from (
        select t.integrator_id, t.merchant, t.settled_at, t.type, t.amount, moved.xid from transactions t
        join transfers moved on moved.integrator_id = t.integrator_id and moved.id = t.transfer_id
        where t.type in ('deduct', 'deduct-reversal')
      ) as posted
      cross join (values ('quarter', interval '15 minutes'), ('day', interval '1 day')) as spans (span, length)
      cross join lateral (values
        ('purchased', case type when 'deduct' then amount else 0 end),
        ('refunded', case type when 'deduct' then 0 else amount end),
        ('transactions', 1)
      ) as sum (name, amount)
      union all
      select integrator_id, status, cards, 0 from card_rollups
      union all
      select integrator_id, side.status, case when xid >= ${since} then side.cards else 0 end, 0
      from card_state_changes cross join lateral (values (to_status, 1), (from_status, -1)) as side (status, cards)
      where side.status is not null
      union all
      select integrator_id, status, 0, 1 from ledger_accounts where status is not null
    ) as sums group by integrator_id, what having sum(rolled) <> sum(counted)`);
}
