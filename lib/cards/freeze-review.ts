import { and, eq, inArray, sql } from "drizzle-orm";
import type { ReadContext } from "#lib/base/context.ts";
import type { Card } from "#lib/cards/card-resource.ts";
import { findProtective } from "#lib/cards/protective-freeze.ts";
import { auditLog } from "#db/schema/events.ts";

/** The audit actions that show that somebody has looked into a card's freeze. */
const REVIEWS = ["card.noted", "card.frozen", "card.freeze-lifted"];

/**
 * Which of these cards have been reviewed. A card has been if, since its protective freeze was made, a person has
 * written a note on it, amended one of its freezes, or lifted one.
 */
export async function findReviewed(
  ctx: ReadContext,
  cards: readonly Pick<Card, "id" | "freezes">[],
): Promise<ReadonlySet<string>> {
  const since = new Map(
    cards.flatMap(({ id, freezes }) => {
      const protective = findProtective(freezes);
      return protective ? [[id, protective.frozenAt] as const] : [];
    }),
  );
  if (since.size === 0) {
    return new Set();
  }
  const rows = await ctx.db
    .select({
      id: auditLog.targetId,
      reviewedAt: sql<Date>`max(${auditLog.createdAt})`.mapWith(auditLog.createdAt),
    })
    .from(auditLog)
    .where(
      and(
        eq(auditLog.integratorId, ctx.actor.integratorId),
        inArray(auditLog.targetId, [...since.keys()]),
        inArray(auditLog.action, REVIEWS),
        sql`${auditLog.actor} ->> 'type' = 'staff'`,
      ),
    )
    .groupBy(auditLog.targetId);
  return new Set(
    rows.flatMap(({ id, reviewedAt }) => {
      const frozenAt = since.get(id);
      return frozenAt && reviewedAt > frozenAt ? [id] : [];
    }),
  );
}
