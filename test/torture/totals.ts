import { setTimeout as sleep } from "node:timers/promises";
import postgres from "postgres";
import type { Sql } from "postgres";
import type { History } from "./history.ts";

const PAUSE_MS = 500;
const PAUSE_RATIO = 10;
const PAUSE_MAX_MS = 5_000;

/**
 * Reads again and again what each integrator has, in one snapshot: money only moves within it, except through the bank and
 * the network.
 */
export async function readTotals(
  { ownerUrl }: { ownerUrl: string },
  history: History,
  isOver: () => boolean,
): Promise<void> {
  const sql = postgres(ownerUrl, { max: 1, onnotice: () => undefined });
  try {
    while (!isOver()) {
      // While the database is down, there is nothing to read.
      const startedAt = performance.now();
      const wrong = await readWrongTotals(sql).catch(() => []);
      history.wrongTotals.push(...wrong);
      // Every read adds up all transfers so far. One that waited for the database to come back says nothing about that.
      const pauseMs = (performance.now() - startedAt) * PAUSE_RATIO;
      await sleep(Math.min(PAUSE_MAX_MS, Math.max(PAUSE_MS, pauseMs)));
    }
  } finally {
    await sql.end({ timeout: 1 });
  }
}

async function readWrongTotals(sql: Sql): Promise<string[]> {
  const rows = await sql<{ id: string; off: number }[]>`
    with outside as (
      select integrator_id, sum(case when kind = 'card_purchase' then -amount else amount end) as amount from transfers
      where kind in ('float_top_up', 'card_purchase', 'card_refund') group by integrator_id
    )
    select a.integrator_id as id, (sum(a.balance) - coalesce(max(o.amount), 0))::float8 as off
    from ledger_accounts a left join outside o using (integrator_id)
    where a.balance is not null group by a.integrator_id
    having sum(a.balance) <> coalesce(max(o.amount), 0)`;
  return rows.map(({ id, off }) => `integrator ${id} had ${off} too much`);
}
