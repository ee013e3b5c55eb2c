import { sql } from "drizzle-orm";
import type { SQL } from "drizzle-orm";
import { AUTOMATIC_FREEZE } from "#lib/base/actor.ts";
import type { ReadContext } from "#lib/base/context.ts";
import { toDeadlineTime } from "#lib/base/deadline-clock.ts";
import { newId } from "#lib/base/ids.ts";
import { planByIndex } from "#lib/base/plan-by-index.ts";
import { lockCards } from "#lib/cards/card-lock.ts";
import { findCards } from "#lib/cards/card-reads.ts";
import { decideStatuses } from "#lib/cards/card-status.ts";
import { toIdleDue } from "#lib/cards/idle-due.ts";
import { writeStatusChanges } from "#lib/cards/status-records.ts";
import { findCardAccount, findPause } from "#lib/ledger/accounts.ts";
import type { Locked } from "#lib/ledger/accounts.ts";
import { updateIdleDues } from "#lib/ledger/post.ts";
import { clockMoves, timeOnClock } from "#lib/record/clock-history.ts";
import { PREVIEWED, toFreezePreview } from "#lib/transactions/internal/freeze-preview.ts";
import type { FreezePreview, PreviewedRow } from "#lib/transactions/internal/freeze-preview.ts";
import { markCommit } from "#db/transaction.ts";
import type { Tx } from "#db/transaction.ts";

/**
 * Freezes cards that nobody uses. Using a card does not change its due time. When a card is due, its last use is
 * read; if it was used in the meantime, it becomes due later. So purchases and moves of funds cost nothing extra.
 */

const DAY_MS = 24 * 60 * 60 * 1_000;

/**
 * When the active card `c` was last used, in milliseconds by the integrator's clock: created, made active, moved
 * funds to or from, or approved for a purchase or a verification. Needs `clockMoves`. Each subselect is fenced, so
 * that the newest rows are read by the card's index.
 */
function lastUsed(integratorId: string): SQL {
  return sql`greatest((
    select ${timeOnClock(integratorId, "s")} from card_state_changes s
    where s.integrator_id = ${integratorId} and s.card_id = c.id order by s.id desc limit 1
  ), (
    select ${timeOnClock(integratorId, "t")} from (
      select id, created_at, status, type from transactions
      where integrator_id = ${integratorId} and card_id = c.id order by id desc offset 0
    ) t
    where t.status <> 'declined' and t.type <> 'deduct-reversal' limit 1
  ))`;
}

/** A card, and when it will be idle by the integrator's clock; null for never. */
interface IdleDue {
  id: string;
  at: Date | null;
}

/**
 * Freezes the idle ones among an integrator's cards, at the level of the cardholder. The others become due when they
 * will be idle. Cards that are not active, or that expire first, are never due.
 */
export async function freezeIdle(
  tx: Tx,
  integratorId: string,
  ids: readonly string[],
): Promise<void> {
  const locked = await lockCards(tx, integratorId, ids);
  const { integrator, accounts } = locked;
  if (findPause(integrator)) {
    return;
  }
  const dues = await readDues(tx, locked, ids);
  const now = toDeadlineTime(integrator, accounts.at);
  const { idle = [], others = [] } = Object.groupBy(dues, ({ at }) =>
    at !== null && at <= now ? "idle" : "others",
  );
  await writeDues(tx, integratorId, others);
  await freeze(
    tx,
    locked,
    idle.map(({ id }) => id),
  );
}

async function readDues(
  tx: Tx,
  { integrator, accounts }: Locked,
  ids: readonly string[],
): Promise<IdleDue[]> {
  const { integratorId } = integrator;
  const active = ids.filter((id) => accounts.byId.get(id)?.status === "active");
  const rows =
    integrator.idleFreezeDays === null
      ? []
      : await tx.execute<{ id: string; used: number }>(sql`
          with ${clockMoves(integratorId)}
          select c.id, ${lastUsed(integratorId)} as used from unnest(${sql.param(active)}::uuid[]) as c (id)`);
  const used = new Map(rows.map((row) => [row.id, new Date(row.used)]));
  const now = toDeadlineTime(integrator, accounts.at);
  return ids.map((id) => {
    const last = used.get(id);
    const at = last ? toIdleDue(integrator, last) : null;
    // A card that has expired by then needs no freeze.
    const ends = findCardAccount(accounts, id)?.expiresAt;
    const isExpired = at && ends && Math.max(at.getTime(), now.getTime()) >= ends.getTime();
    return { id, at: isExpired ? null : at };
  });
}

async function writeDues(tx: Tx, integratorId: string, dues: readonly IdleDue[]): Promise<void> {
  const [first] = dues;
  if (!first) {
    return;
  }
  markCommit(
    tx,
    sql`exists (select from ledger_accounts where integrator_id = ${integratorId} and id = ${first.id}
      and idle_due_at is not distinct from to_timestamp(${first.at?.getTime() ?? null}::float8 / 1000))`,
  );
  await updateIdleDues(tx, integratorId, dues);
}

async function freeze(tx: Tx, locked: Locked, ids: readonly string[]): Promise<void> {
  const { integratorId, idleFreezeDays: days } = locked.integrator;
  if (days === null || ids.length === 0) {
    return;
  }
  const cards = await findCards(tx, integratorId, ids);
  const request = { id: newId(), address: null, agent: null };
  const { changed } = decideStatuses(
    { ...locked, cards },
    ids.map((cardId) => ({
      to: "frozen",
      cardId,
      request,
      actor: { integratorId, ref: AUTOMATIC_FREEZE },
      level: "cardholder",
      reason: "inactivity",
      comment: toIdleFreezeText(days),
      mayLift: [],
      statusVersion: null,
    })),
  );
  const rule = { auto_freeze: null, idle_freeze_days: days };
  await writeStatusChanges(
    tx,
    locked,
    changed.map((change) => ({ ...change, rule })),
  );
}

/** Why a card is frozen: `Not used for 90 days`. */
function toIdleFreezeText(days: number): string {
  return `Not used for ${days} days`;
}

/** Starts to recompute when each active card of an account is due; if its setting is off, stops that. */
export async function restartIdleFill(tx: Tx, integratorId: string): Promise<void> {
  await tx.execute(sql`
    update integrators
    set idle_fill_after = case when idle_freeze_days is not null then '00000000-0000-0000-0000-000000000000'::uuid end
    where id = ${integratorId}`);
}

/** For how many cards one transaction computes when they are due. */
const FILL_CARDS = 200;

/**
 * Computes when the next of an account's active cards are due, after the setting has changed.
 * @returns whether all cards are done.
 */
export async function fillIdleDues(tx: Tx, integratorId: string): Promise<boolean> {
  // Lock order: the integrator before its cards, as in a move of the clock.
  const [fill] = await tx.execute<{ after: string | null }>(sql`
    select idle_fill_after as after from integrators where id = ${integratorId} for no key update`);
  if (!fill?.after) {
    return true;
  }
  const rows = await tx.execute<{ id: string }>(sql`
    select id from ledger_accounts
    where integrator_id = ${integratorId} and status = 'active' and id > ${fill.after}
    order by id limit ${FILL_CARDS}`);
  const ids = rows.map(({ id }) => id);
  const last = ids.length < FILL_CARDS ? null : (ids.at(-1) ?? null);
  if (ids.length > 0) {
    const locked = await lockCards(tx, integratorId, ids);
    await writeDues(tx, integratorId, await readDues(tx, locked, ids));
  }
  markCommit(
    tx,
    sql`exists (select from integrators where id = ${integratorId} and idle_fill_after is not distinct from ${last}::uuid)`,
  );
  await tx.execute(sql`
    update integrators set idle_fill_after = ${last} where id = ${integratorId}`);
  return last === null;
}

/** The cards that would be frozen a day from now if `idle_freeze_days` were this and nobody used a card until then. */
export async function previewIdle(ctx: ReadContext, days: number): Promise<FreezePreview> {
  const { integratorId } = ctx.actor;
  const statement = sql`
    with ${clockMoves(integratorId)}
    select ${PREVIEWED}
    from (
      select id, expires_at from ledger_accounts
      where integrator_id = ${integratorId} and status = 'active' offset 0
    ) c
    cross join lateral (
      select ${lastUsed(integratorId)} + ${days * DAY_MS}::float8 as due, extract(epoch from c.expires_at)::float8 * 1000 as expires
    ) t
    cross join (
      select 1000 * (extract(epoch from statement_timestamp())::float8 + clock_offset_s) as now
      from integrators where id = ${integratorId}
    ) clock
    where due <= now + ${DAY_MS}::float8 and expires > greatest(due, now)`;
  const [, [row]] = await Promise.all([planByIndex(ctx), ctx.db.execute<PreviewedRow>(statement)]);
  return toFreezePreview(ctx, row);
}
