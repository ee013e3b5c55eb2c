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
      select integrator_id, status, cards, 0 from card_rollups
      union all
      select integrator_id, side.status, case when xid >= ${since} then side.cards else 0 end, 0
      from card_state_changes cross join lateral (values (to_status, 1), (from_status, -1)) as side (status, cards)
      where side.status is not null
      union all
      select integrator_id, status, 0, 1 from ledger_accounts where status is not null
    ) as sums group by integrator_id, what having sum(rolled) <> sum(counted)`);
}
