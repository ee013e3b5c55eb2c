import { and, desc, eq, gte, lt, sql } from "drizzle-orm";
import type { ReadContext } from "#lib/base/context.ts";
import { requireCursor, toPage } from "#lib/base/paging.ts";
import type { Page } from "#lib/base/paging.ts";
import { apiLog } from "#db/schema/events.ts";

/** One request and its response. */
export type LoggedRequest = Omit<typeof apiLog.$inferSelect, "integratorId">;

/** Which requests to list. */
export interface RequestFilter {
  method?: string | undefined;
  outcome?: "succeeded" | "refused" | undefined;
  actorId?: string | undefined;
  cardId?: string | undefined;
  requestId?: string | undefined;
  limit: number;
  cursor?: string | undefined;
}

const REFUSED_FROM = 400;

/** This integrator's requests of the last 30 days, newest first. */
export async function listRequests(
  ctx: ReadContext,
  filter: RequestFilter,
): Promise<Page<LoggedRequest>> {
  const cursor = requireCursor(filter.cursor);
  const rows = await ctx.db
    .select()
    .from(apiLog)
    .where(
      and(
        eq(apiLog.integratorId, ctx.actor.integratorId),
        filter.method ? eq(apiLog.method, filter.method) : undefined,
        toOutcomeCondition(filter.outcome),
        filter.actorId ? sql`${apiLog.actor} ->> 'id' = ${filter.actorId}` : undefined,
        filter.cardId ? eq(apiLog.cardId, filter.cardId) : undefined,
        filter.requestId ? eq(apiLog.requestId, filter.requestId) : undefined,
        cursor ? lt(apiLog.id, cursor) : undefined,
      ),
    )
    .orderBy(desc(apiLog.id))
    .limit(filter.limit + 1);
  return toPage(rows, filter.limit, ({ id }) => id);
}

function toOutcomeCondition(outcome: RequestFilter["outcome"]) {
  if (outcome === undefined) {
    return undefined;
  }
  return outcome === "refused" ? gte(apiLog.status, REFUSED_FROM) : lt(apiLog.status, REFUSED_FROM);
}
