import { and, desc, eq, gte, inArray, lt, not, sql } from "drizzle-orm";
import type { SQL } from "drizzle-orm";
import type { AnyPgColumn } from "drizzle-orm/pg-core";
import type { ReadContext } from "#lib/base/context.ts";
import { notFound } from "#lib/base/errors.ts";
import { isId, toTimeOfId } from "#lib/base/ids.ts";
import { requireCursor, toPage } from "#lib/base/paging.ts";
import type { Page } from "#lib/base/paging.ts";
import { isWithin } from "#lib/base/period.ts";
import { REFUSED_FROM } from "#lib/record/request-classes.ts";
import type { StatusClass } from "#lib/record/request-classes.ts";
import { apiLog, apiLogBodies } from "#db/schema/events.ts";

/** One request and its response. */
export type LoggedRequest = Omit<typeof apiLog.$inferSelect, "integratorId">;

/**
 * A kept body: JSON with `form`, `unknown_members`, and the body itself, if there is one: exact as `text`, or parsed as
 * `body`.
 */
type BodyText = string;

/** A request with its bodies; null if they were not kept, or have expired. */
export interface DetailedRequest extends LoggedRequest {
  request: BodyText | null;
  response: BodyText | null;
}

/** Which requests to list. `from` is inclusive, `to` exclusive. */
export interface RequestFilter {
  method?: string | undefined;
  outcome?: "succeeded" | "refused" | undefined;
  status?: readonly StatusClass[] | undefined;
  operation?: string | undefined;
  code?: string | undefined;
  actorId?: string | undefined;
  cardId?: string | undefined;
  requestId?: string | undefined;
  apiVersion?: string | undefined;
  /** Whether to leave out reads by the dashboard's pages. */
  withoutPages?: boolean | undefined;
  from?: Date | undefined;
  to?: Date | undefined;
  limit: number;
  cursor?: string | undefined;
}

/**
 * How many requests a search reads for one page. If it finds too few matches, it returns those and a cursor to search
 * further. So no page takes long, and no write of a request has to update an index for every filter.
 */
const SEARCHED_MAX = 100_000;

/** How far this process's clock, from which request ids come, may be from the database's. */
const CLOCKS_APART_MS = 30_000;

/**
 * Lists this integrator's requests of the last 30 days, newest first. A page may have fewer rows than its limit, or
 * none, and still have a cursor, if its search has read `searchedMax` requests.
 * @param searchedMax only tests set it.
 */
export async function listRequests(
  ctx: ReadContext,
  filter: RequestFilter,
  searchedMax = SEARCHED_MAX,
): Promise<Page<LoggedRequest>> {
  const cursor = requireCursor(filter.cursor);
  if (filter.requestId !== undefined && cursor === undefined) {
    const page = await findByRequestId(ctx, { ...filter, requestId: filter.requestId });
    if (page) {
      return page;
    }
  }
  const searched = searchIn(ctx, filter, searchedMax);
  const rows = await ctx.db
    .select()
    .from(searched)
    .where(toConditions(filter, searched))
    .orderBy(desc(searched.id))
    .limit(filter.limit + 1);
  const page = toPage(rows, filter.limit, ({ id }) => id);
  return page.nextCursor === null
    ? { ...page, nextCursor: await findEnd(ctx, filter, searchedMax) }
    : page;
}

/** Finds a request by its request id without an index: the id contains the time of the request. */
async function findByRequestId(
  ctx: ReadContext,
  filter: RequestFilter & { requestId: string },
): Promise<Page<LoggedRequest> | undefined> {
  const at = toTimeOfId(filter.requestId);
  if (at === undefined) {
    return undefined;
  }
  const near = {
    limit: filter.limit,
    from: new Date(at - CLOCKS_APART_MS),
    to: new Date(at + CLOCKS_APART_MS),
  };
  const rows = await ctx.db
    .select()
    .from(apiLog)
    .where(and(toRange(ctx, near), toConditions(filter, apiLog)))
    .orderBy(desc(apiLog.id))
    .limit(filter.limit);
  return rows.length > 0 ? { rows, nextCursor: null } : undefined;
}

/** The requests that a page looks through, newest first. */
function searchIn(ctx: ReadContext, filter: RequestFilter, searchedMax: number) {
  return ctx.db
    .select()
    .from(apiLog)
    .where(toRange(ctx, filter))
    .orderBy(desc(apiLog.id))
    .limit(searchedMax)
    .as("searched");
}

/** The conditions that an index serves: the account's requests, or its failed ones, in a period. */
function toRange(ctx: ReadContext, filter: RequestFilter): SQL | undefined {
  const { cursor } = filter;
  return and(
    eq(apiLog.integratorId, ctx.actor.integratorId),
    // A literal, so that the planner can use the partial index of failures.
    isOfFailures(filter) ? sql`${apiLog.status} >= 400` : undefined,
    isWithin(apiLog.id, filter),
    cursor ? lt(apiLog.id, cursor) : undefined,
  );
}

function isOfFailures({ outcome, status, code }: RequestFilter): boolean {
  const isOfFailedClasses = status?.every((each) => each === "4xx" || each === "5xx") ?? false;
  return outcome === "refused" || isOfFailedClasses || code !== undefined;
}

type Columns = Readonly<
  Record<
    "method" | "status" | "operation" | "code" | "actor" | "cardId" | "requestId" | "apiVersion",
    AnyPgColumn
  >
>;

function toConditions(filter: RequestFilter, row: Columns): SQL | undefined {
  const { method, operation, code, actorId, cardId, requestId, apiVersion } = filter;
  return and(
    method ? eq(row.method, method) : undefined,
    operation ? eq(row.operation, operation) : undefined,
    code ? eq(row.code, code) : undefined,
    actorId ? sql`${row.actor} ->> 'id' = ${actorId}` : undefined,
    cardId ? eq(row.cardId, cardId) : undefined,
    requestId ? eq(row.requestId, requestId) : undefined,
    apiVersion ? eq(row.apiVersion, apiVersion) : undefined,
    filter.withoutPages ? not(isOfPage(row)) : undefined,
    toOutcomeCondition(filter.outcome, row),
    filter.status ? inArray(sql`${row.status} / 100`, filter.status.map(toFirstDigit)) : undefined,
  );
}

/** Whether a request was a page's read for a person. Changes by people count like those by programs. */
function isOfPage({ actor, method }: Columns): SQL {
  return sql`(${actor} ->> 'type' = 'staff' and ${method} = 'GET')`;
}

function toFirstDigit(status: StatusClass): number {
  return Number(status[0]);
}

function toOutcomeCondition(outcome: RequestFilter["outcome"], row: Columns) {
  if (outcome === undefined) {
    return undefined;
  }
  return outcome === "refused" ? gte(row.status, REFUSED_FROM) : lt(row.status, REFUSED_FROM);
}

/** The last request that the page looked at, if there may be more. */
async function findEnd(
  ctx: ReadContext,
  filter: RequestFilter,
  searchedMax: number,
): Promise<string | null> {
  const [last] = await ctx.db
    .select({ id: apiLog.id })
    .from(apiLog)
    .where(toRange(ctx, filter))
    .orderBy(desc(apiLog.id))
    .offset(searchedMax - 1)
    .limit(1);
  return last?.id ?? null;
}

/**
 * One request with its bodies.
 * @throws DomainError `request_not_found`, also for another integrator's.
 */
export async function getRequest(ctx: ReadContext, id: string): Promise<DetailedRequest> {
  const [row] = isId(id)
    ? await ctx.db
        .select({ logged: apiLog, request: apiLogBodies.request, response: apiLogBodies.response })
        .from(apiLog)
        .leftJoin(
          apiLogBodies,
          and(eq(apiLogBodies.id, apiLog.id), eq(apiLogBodies.integratorId, apiLog.integratorId)),
        )
        .where(and(eq(apiLog.integratorId, ctx.actor.integratorId), eq(apiLog.id, id)))
    : [];
  if (!row) {
    throw notFound("request_not_found");
  }
  return { ...row.logged, request: row.request, response: row.response };
}
