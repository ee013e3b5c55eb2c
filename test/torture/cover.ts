import type { Sql } from "postgres";

/** What moved to cover purchases, to give cover back, and to repay it: what it changed on each card and float. */
export function readCover(integratorIds: readonly string[], sql: Sql) {
  return sql<{ owner: string; amount: number }[]>`
    select case when a.kind = 'float' then a.integrator_id else a.id end as owner, e.amount::float8 as amount
    from transfers t
    join entries e on e.integrator_id = t.integrator_id and e.transfer_id = t.id
    join ledger_accounts a on a.integrator_id = e.integrator_id and a.id = e.account_id
    where t.integrator_id = any(${integratorIds}::uuid[]) and a.kind in ('card', 'float')
      and t.kind in ('cover', 'deficit_cover', 'cover_return', 'deficit_repayment')`;
}
