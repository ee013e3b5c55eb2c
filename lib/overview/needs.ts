import { sql } from "drizzle-orm";
import { listBulkJobs } from "#lib/bulk/bulk-jobs.ts";
import type { BulkJob } from "#lib/bulk/bulk-job.ts";
import type { ReadContext } from "#lib/base/context.ts";
import { firstIdAt } from "#lib/base/ids.ts";
import { listCards } from "#lib/cards/card-reads.ts";
import type { Card, Freeze } from "#lib/cards/card-resource.ts";
import { findReviewed } from "#lib/cards/freeze-review.ts";
import { findProtective } from "#lib/cards/protective-freeze.ts";

/** Something that a person has to look into. */
export type Need =
  | { kind: "unreviewed_freeze"; card: NeedingCard; freeze: Freeze }
  | { kind: "repeated_declines"; card: NeedingCard; times: number }
  | { kind: "refused_items"; job: BulkJob };

type NeedingCard = Pick<Card, "id" | "cardName" | "last4">;

/** How many frozen cards are looked at, the newest first, and how many jobs. */
const LOOKED_AT = 100;
/** So many declines of one card within an hour are more than a mistake. */
const DECLINES_MIN = 3;
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/**
 * What needs a person, the gravest first: protective freezes that nobody has reviewed, cards that were declined several times
 * in the last hour, and bulk jobs of the last day with refusals.
 */
export async function listNeeds(ctx: ReadContext, now: Date): Promise<Need[]> {
  const [freezes, declines, jobs] = await Promise.all([
    listUnreviewed(ctx),
    listRepeatedDeclines(ctx, now),
    listRefused(ctx, now),
  ]);
  return [...freezes, ...declines, ...jobs];
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
      select card.id, card.card_name, card.last4, count(*)::int as times
      from transactions declined
      join cards card on card.integrator_id = ${integratorId} and card.id = declined.card_id
      where declined.integrator_id = ${integratorId} and declined.type = 'deduct'
        and declined.status = 'declined' and declined.id >= ${first}::uuid
      group by card.id, card.card_name, card.last4
      having count(*) >= ${DECLINES_MIN}
      order by times desc, card.id
      limit ${LOOKED_AT}`,
  );
  return rows.map(({ id, card_name: cardName, last4, times }) => ({
    kind: "repeated_declines",
    card: { id, cardName, last4 },
    times,
  }));
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
