import { and, asc, eq, gte, lt, sql } from "drizzle-orm";
import type { ReadContext } from "#lib/base/context.ts";
import { toIdempotencyName } from "#lib/base/idempotency-name.ts";
import { firstIdAt } from "#lib/base/ids.ts";
import { selectDeliveries, toEventDeliveries } from "#lib/record/event-deliveries.ts";
import type { EventDelivery } from "#lib/record/event-deliveries.ts";
import type { LoggedRequest } from "#lib/record/request-log.ts";
import { transactions } from "#db/schema/transactions.ts";
import { events, idempotentRequests } from "#db/schema/events.ts";

/** What a request made, and the request whose response it repeated. */
export interface RequestRelations {
  events: readonly {
    id: string;
    event: string;
    deliveries: readonly EventDelivery[];
  }[];
  transactions: readonly Pick<
    typeof transactions.$inferSelect,
    "id" | "type" | "status" | "amount" | "currency"
  >[];
  /** The id of the first request with its idempotency key; null unless the response was a repeat. */
  firstRequestId: string | null;
}

/** How far the times of a request's records may lie outside the logged duration of the request. */
const MARGIN_MS = 2_000;
/** A request makes few records; other requests within the margin may make many. */
const SEARCHED_MAX = 20_000;
const SHOWN_MAX = 20;

/**
 * Reads the records that a request made. It searches the account's records of that time for the request's id. Record
 * ids begin with their time, so the search needs no further index.
 */
export async function readRelations(
  ctx: ReadContext,
  request: LoggedRequest,
): Promise<RequestRelations> {
  return {
    events: await readEvents(ctx, request),
    transactions: await readTransactions(ctx, request),
    firstRequestId: request.replayed ? await findFirst(ctx, request) : null,
  };
}

function toIdRange({ createdAt, durationMs }: LoggedRequest): { from: string; to: string } {
  const at = createdAt.getTime();
  return { from: firstIdAt(at - MARGIN_MS), to: firstIdAt(at + durationMs + MARGIN_MS) };
}

async function readEvents(ctx: ReadContext, request: LoggedRequest) {
  const { from, to } = toIdRange(request);
  const made = ctx.db
    .select()
    .from(events)
    .where(
      and(eq(events.integratorId, ctx.actor.integratorId), gte(events.id, from), lt(events.id, to)),
    )
    .orderBy(asc(events.id))
    .limit(SEARCHED_MAX)
    .as("made");
  const rows = await ctx.db
    .select({
      id: made.id,
      event: made.event,
      integratorId: made.integratorId,
      deliveries: selectDeliveries(made),
    })
    .from(made)
    .where(sql`${made.content}::jsonb ->> 'request_id' = ${request.requestId}`)
    .orderBy(asc(made.id))
    .limit(SHOWN_MAX);
  return rows.map((row) => ({
    id: row.id,
    event: row.event,
    deliveries: toEventDeliveries(row, row.deliveries),
  }));
}

async function readTransactions(ctx: ReadContext, request: LoggedRequest) {
  const { from, to } = toIdRange(request);
  const made = ctx.db
    .select()
    .from(transactions)
    .where(
      and(
        eq(transactions.integratorId, ctx.actor.integratorId),
        gte(transactions.id, from),
        lt(transactions.id, to),
      ),
    )
    .orderBy(asc(transactions.id))
    .limit(SEARCHED_MAX)
    .as("made");
  return ctx.db
    .select({
      id: made.id,
      type: made.type,
      status: made.status,
      amount: made.amount,
      currency: made.currency,
    })
    .from(made)
    .where(eq(made.requestId, request.requestId))
    .orderBy(asc(made.id))
    .limit(SHOWN_MAX);
}

async function findFirst(
  ctx: ReadContext,
  { idempotencyKey }: LoggedRequest,
): Promise<string | null> {
  const [first] =
    idempotencyKey === null
      ? []
      : await ctx.db
          .select({ requestId: idempotentRequests.requestId })
          .from(idempotentRequests)
          .where(
            and(
              eq(idempotentRequests.integratorId, ctx.actor.integratorId),
              eq(idempotentRequests.key, toIdempotencyName(ctx.actor.integratorId, idempotencyKey)),
            ),
          );
  return first?.requestId ?? null;
}
