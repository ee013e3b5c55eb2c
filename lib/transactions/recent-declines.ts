import { sql } from "drizzle-orm";
import type { SQL } from "drizzle-orm";
import type { ReadContext } from "#lib/base/context.ts";
import { firstIdAt } from "#lib/base/ids.ts";
import type { Moment } from "#lib/base/ids.ts";
import { readMoment } from "#lib/base/moment.ts";
import { planByIndex } from "#lib/base/plan-by-index.ts";
import { clockMoves, timeOnClock } from "#lib/record/clock-history.ts";
import { PREVIEW_DAYS, toCountedReasons } from "#lib/transactions/auto-freeze.ts";
import { PREVIEWED, toFreezePreview } from "#lib/transactions/internal/freeze-preview.ts";
import type { FreezePreview, PreviewedRow } from "#lib/transactions/internal/freeze-preview.ts";
import type { StoredAutoFreeze } from "#db/schema/integrators.ts";
import type { Tx } from "#db/transaction.ts";

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

/** Whether a rule counts the transaction `t`: `isCounted` in SQL. */
function isCountedBy(rule: StoredAutoFreeze): SQL {
  return sql`t.decline_reason = any(${sql.param(toCountedReasons(rule))}::text[]) and not t.decline_forced`;
}

/**
 * The newest declines of locked cards that a rule counts: as many as can matter, since the card was last made active
 * and within the rule's minutes.
 * @returns their times by card, oldest first, in milliseconds by the integrator's clock.
 */
export async function readRecentDeclines(
  tx: Tx,
  rule: StoredAutoFreeze,
  {
    integratorId,
    at,
    cardIds,
  }: Pick<Moment, "at"> & { integratorId: string; cardIds: readonly string[] },
): Promise<Map<string, number[]>> {
  const since = firstIdAt(at.getTime() - rule.within_minutes * MINUTE_MS);
  const rows = await tx.execute<{ card_id: string; at: number }>(sql`
    with ${clockMoves(integratorId, since)}
    select c.id as card_id, recent.at
    from unnest(${sql.param(cardIds)}::uuid[]) as c (id)
    cross join lateral (
      select t.id, ${timeOnClock(integratorId, "t")} as at
      from (
        select * from transactions
        where integrator_id = ${integratorId} and card_id = c.id and id > greatest(${since}::uuid, (
          select id from card_state_changes where integrator_id = ${integratorId} and card_id = c.id
          order by id desc limit 1))
        order by id desc offset 0
      ) t
      where ${isCountedBy(rule)}
      order by t.id desc limit ${rule.declines - 1}
    ) recent
    order by c.id, recent.id`);
  const byCard = Map.groupBy(rows, (row) => row.card_id);
  return new Map([...byCard].map(([id, of]) => [id, of.map((row) => row.at)]));
}

/** The cards that a rule would have frozen if it had applied in the last {@link PREVIEW_DAYS} days. */
export async function previewFrozenBy(
  ctx: ReadContext,
  rule: StoredAutoFreeze,
): Promise<FreezePreview> {
  const { db, actor } = ctx;
  const { integratorId } = actor;
  const [, { at }] = await Promise.all([planByIndex(ctx), readMoment(db)]);
  const withinMs = rule.within_minutes * MINUTE_MS;
  const since = firstIdAt(at.getTime() - PREVIEW_DAYS * DAY_MS - withinMs);
  const [row] = await db.execute<PreviewedRow>(sql`
    with ${clockMoves(integratorId, since)}, counted as (
      select t.card_id, t.id, t.at, lag(t.id, ${rule.declines - 1}) over card as first_id,
        lag(t.at, ${rule.declines - 1}) over card as first_at
      from (
        select t.card_id, t.id, ${timeOnClock(integratorId, "t")} as at from transactions t
        where t.integrator_id = ${integratorId} and t.id >= ${since} and ${isCountedBy(rule)}
      ) t
      window card as (partition by t.card_id order by t.id)
    )
    select ${PREVIEWED} from (
    select distinct counted.card_id as id
    from counted cross join lateral (
      select id, to_status from card_state_changes s
      where s.integrator_id = ${integratorId} and s.card_id = counted.card_id and s.id < counted.id
      order by id desc limit 1
    ) state
    where counted.first_at >= counted.at - ${withinMs}::float8
      and counted.at >= 1000 * (${at.getTime() / 1_000}::float8 - ${PREVIEW_DAYS * 24 * 3_600}::float8
        + (select clock_offset_s from integrators where id = ${integratorId}))
      and state.to_status = 'active' and state.id < counted.first_id) c`);
  return toFreezePreview(ctx, row);
}
