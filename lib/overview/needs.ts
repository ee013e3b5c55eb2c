import { sql } from "drizzle-orm";
import { listWaitingFor } from "#lib/approvals/approvals.ts";
import type { Approval } from "#lib/approvals/approvals.ts";
import { listBulkJobs } from "#lib/bulk/bulk-jobs.ts";
import type { BulkJob } from "#lib/bulk/bulk-job.ts";
import type { ReadContext } from "#lib/base/context.ts";
import { toDeadlineTime } from "#lib/base/deadline-clock.ts";
import type { DeadlineClock } from "#lib/base/deadline-clock.ts";
import { firstIdAt } from "#lib/base/ids.ts";
import { readMoment } from "#lib/base/moment.ts";
import { planByIndex } from "#lib/base/plan-by-index.ts";
import { addDays, toDayStart, toLocalDay } from "#lib/base/time-zone.ts";
import { listCards } from "#lib/cards/card-reads.ts";
import type { Card, Freeze } from "#lib/cards/card-resource.ts";
import { findReviewed } from "#lib/cards/freeze-review.ts";
import { findProtective } from "#lib/cards/protective-freeze.ts";
import { listAlerts } from "#lib/overview/alerts.ts";
import type { Alert } from "#lib/overview/alerts.ts";
import { findLowDay } from "#lib/overview/internal/low-float.ts";
import { listExpiringHolds } from "#lib/overview/internal/expiring-holds.ts";
import type { ExpiringHolds } from "#lib/overview/internal/expiring-holds.ts";
import { listStrayRefunds } from "#lib/overview/internal/stray-refunds.ts";
import type { StrayRefund } from "#lib/overview/internal/stray-refunds.ts";
import { toRepeatedDeclines } from "#lib/transactions/repeated-declines.ts";

/** Something that a person has to look into. */
export type Need =
  | { kind: "waiting_approval"; approval: Approval }
  | { kind: "unreviewed_freeze"; card: NeedingCard; freeze: Freeze }
  | { kind: "repeated_declines"; card: NeedingCard; times: number }
  | { kind: "failing_webhooks"; alert: WebhookAlert }
  /** The float may be below its threshold on this day, such as 2026-01-31. */
  | { kind: "low_float"; day: string }
  | { kind: "stray_refund"; refund: StrayRefund }
  | { kind: "expiring_holds"; holds: ExpiringHolds }
  | { kind: "refused_items"; job: BulkJob };

type NeedingCard = Pick<Card, "id" | "cardName" | "last4">;

type WebhookAlert = Extract<Alert, { kind: "webhooks_failing" | "webhooks_disabled" }>;

/** What determines a person's needs: the account's clocks, and the person's rights. */
export interface Needing {
  timeZone: string;
  clock: DeadlineClock;
  /** Whether the person may fix webhooks. */
  mendsWebhooks: boolean;
  /** The person, if they may approve what others ask for. */
  approverId: string | null;
}

/** How many frozen cards are looked at, the newest first, and how many jobs. */
const LOOKED_AT = 100;
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/**
 * What needs a person, most serious first: requests for their approval, protective freezes that nobody has reviewed,
 * cards that were declined several times in the last hour, failing webhooks, a float that may soon be low, refunds to
 * replaced cards, holds that expire today, and bulk jobs of the last day with refusals. Each kind reads a bounded
 * number of rows. Messages of the card network for unknown cards belong to no account; the operator matches them.
 * @param at the time of the database's clock. Default: reads it.
 */
export async function listNeeds(ctx: ReadContext, needing: Needing, at?: Date): Promise<Need[]> {
  const [, moment] = await Promise.all([planByIndex(ctx), readMoment(ctx.db)]);
  const now = at ?? moment.at;
  const needs = await Promise.all([
    listWaiting(ctx, needing),
    listUnreviewed(ctx),
    listRepeatedDeclines(ctx, now),
    listFailing(ctx, needing),
    listLowFloat(ctx, needing.timeZone, now),
    listRefunds(ctx, now),
    listExpiring(ctx, needing, now),
    listRefused(ctx, now),
  ]);
  return needs.flat();
}

async function listWaiting(ctx: ReadContext, { approverId }: Needing): Promise<Need[]> {
  const waiting = approverId === null ? [] : await listWaitingFor(ctx, approverId, LOOKED_AT);
  return waiting.map((approval) => ({ kind: "waiting_approval", approval }));
}

async function listUnreviewed(ctx: ReadContext): Promise<Need[]> {
  const { rows } = await listCards(ctx, { statuses: ["frozen"], limit: LOOKED_AT });
  const reviewed = await findReviewed(ctx, rows);
  return rows.flatMap((card) => {
    const freeze = findProtective(card.freezes);
    return freeze && !reviewed.has(card.id)
      ? [{ kind: "unreviewed_freeze" as const, card, freeze }]
      : [];
  });
}

async function listRepeatedDeclines(
  { db, actor: { integratorId } }: ReadContext,
  now: Date,
): Promise<Need[]> {
  const first = firstIdAt(now.getTime() - HOUR_MS);
  const rows = await db.execute<{ id: string; card_name: string; last4: string; times: number }>(
    sql`
      select card.id, card.card_name, card.last4, declining.declines as times
      from (${toRepeatedDeclines(sql`${integratorId}::uuid`, first)}) declining
      join cards card on card.integrator_id = ${integratorId} and card.id = declining.card_id
      order by times desc, card.id
      limit ${LOOKED_AT}`,
  );
  return rows.map(({ id, card_name: cardName, last4, times }) => ({
    kind: "repeated_declines",
    card: { id, cardName, last4 },
    times,
  }));
}

async function listFailing(ctx: ReadContext, { mendsWebhooks }: Needing): Promise<Need[]> {
  const alerts = mendsWebhooks ? await listAlerts(ctx) : [];
  return alerts.flatMap((alert) =>
    alert.kind === "webhooks_failing" || alert.kind === "webhooks_disabled"
      ? [{ kind: "failing_webhooks" as const, alert }]
      : [],
  );
}

async function listLowFloat(ctx: ReadContext, timeZone: string, now: Date): Promise<Need[]> {
  const day = await findLowDay(ctx, timeZone, now);
  return day === null ? [] : [{ kind: "low_float", day }];
}

async function listRefunds(ctx: ReadContext, now: Date): Promise<Need[]> {
  const refunds = await listStrayRefunds(ctx, now);
  return refunds.map((refund) => ({ kind: "stray_refund", refund }));
}

/** Deadlines follow the account's clock. */
async function listExpiring(
  ctx: ReadContext,
  { timeZone, clock }: Needing,
  now: Date,
): Promise<Need[]> {
  const today = toLocalDay(toDeadlineTime(clock, now), timeZone);
  const holds = await listExpiringHolds(ctx, toDayStart(addDays(today, 1), timeZone));
  return holds.count === 0 ? [] : [{ kind: "expiring_holds", holds }];
}

async function listRefused(ctx: ReadContext, now: Date): Promise<Need[]> {
  const { rows } = await listBulkJobs(ctx, {
    from: new Date(now.getTime() - DAY_MS),
    limit: LOOKED_AT,
  });
  return rows.flatMap((job) =>
    !job.isCheck && job.state !== "running" && job.refused > 0
      ? [{ kind: "refused_items" as const, job }]
      : [],
  );
}
