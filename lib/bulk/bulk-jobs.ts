import { and, asc, desc, eq, gt, inArray, isNotNull, lt, or, sql } from "drizzle-orm";
import type { Member } from "#lib/base/actor.ts";
import type { ReadContext, WriteContext } from "#lib/base/context.ts";
import { DomainError, notFound } from "#lib/base/errors.ts";
import { isId } from "#lib/base/ids.ts";
import { readMoment } from "#lib/base/moment.ts";
import { requireCursor, requireVersionCursor, toPage } from "#lib/base/paging.ts";
import type { Page } from "#lib/base/paging.ts";
import { isWithin } from "#lib/base/period.ts";
import type { Period } from "#lib/base/period.ts";
import { requireSecondPersonForJob } from "#lib/bulk/internal/job-approval.ts";
import { countWaiting } from "#lib/bulk/bulk-counts.ts";
import { MATCHED_MAX } from "#lib/bulk/bulk-job.ts";
import type {
  BulkCard,
  BulkCards,
  BulkItem,
  BulkJob,
  BulkOperation,
  BulkRequest,
  ItemState,
} from "#lib/bulk/bulk-job.ts";
import { requireBulkScope } from "#lib/bulk/bulk-rights.ts";
import { INVERSES, isUndoable } from "#lib/bulk/inverses.ts";
import { countEnded } from "#lib/bulk/internal/count-ended.ts";
import { findCardIds } from "#lib/cards/card-reads.ts";
import { FREEZE_LEVELS } from "#lib/cards/card-state.ts";
import { toReasonRequired } from "#lib/cards/freeze-rights.ts";
import type { CardFilter } from "#lib/cards/card-filter.ts";
import { bulkItems, bulkJobs } from "#db/schema/bulk.ts";
import { integrators } from "#db/schema/integrators.ts";
import { insertRows } from "#db/insert-rows.ts";
import { markCommit } from "#db/transaction.ts";

/** How many rows one statement inserts. */
const INSERTED_MAX = 10_000;

/**
 * Accepts a job, which `runBulkJobs` then performs. A filter selects the cards that match now. The inverse of an
 * earlier job has one item for each level of a card, and each card's spending controls, that the earlier job changed.
 * @throws DomainError `validation_failed` if too many cards match, or the earlier job cannot be undone;
 * `reason_required`. HeldUp if somebody else must approve the move.
 */
export async function createBulkJob(ctx: WriteContext, asked: BulkRequest): Promise<BulkJob> {
  const { tx, actor, request } = ctx;
  const { integratorId } = actor;
  const { cards, ...settings } = asked;
  await requireReason(ctx, asked);
  const items = await findItems(ctx, asked.operation, cards);
  await requireSecondPersonForJob(ctx, asked, items);
  const { newId } = await readMoment(tx);
  const id = newId();
  markCommit(
    tx,
    sql`exists (select from bulk_jobs where integrator_id = ${integratorId} and id = ${id})`,
  );
  const [job] = await tx
    .insert(bulkJobs)
    .values({
      ...settings,
      integratorId,
      id,
      undoes: "changedBy" in cards ? cards.changedBy : null,
      total: items.length,
      actor: actor.ref,
      requestId: request.id,
      address: request.address,
      agent: request.agent,
    })
    .returning();
  const rows = items.map((item, position) => ({ ...item, position }));
  for (let from = 0; from < rows.length; from += INSERTED_MAX) {
    await insertItems(ctx, id, rows.slice(from, from + INSERTED_MAX));
  }
  return items.length === 0
    ? countEnded(tx, requireJob(job), { state: "completed" })
    : requireJob(job);
}

/**
 * Refuses a job whose freezes would all be refused. An undo restores freezes with their own reasons, so it needs none.
 * @throws DomainError `reason_required` if the account requires a reason, and none is given.
 */
async function requireReason(
  { tx, actor }: WriteContext,
  { operation, terms, cards }: BulkRequest,
): Promise<void> {
  if (operation !== "freeze" || terms.reason !== null || "changedBy" in cards) {
    return;
  }
  const [account] = await tx
    .select({ isRequired: integrators.freezeReasonRequired })
    .from(integrators)
    .where(eq(integrators.id, actor.integratorId));
  if (account?.isRequired) {
    throw toReasonRequired();
  }
}

async function findItems(
  ctx: WriteContext,
  operation: BulkOperation,
  cards: BulkCards,
): Promise<readonly BulkCard[]> {
  if ("items" in cards) {
    return cards.items;
  }
  return "filter" in cards
    ? findMatching(ctx, cards.filter)
    : findChanged(ctx, operation, cards.changedBy);
}

async function findChanged(
  { tx, actor }: WriteContext,
  operation: BulkOperation,
  jobId: string,
): Promise<BulkCard[]> {
  const [job] = await tx
    .select()
    .from(bulkJobs)
    .where(and(eq(bulkJobs.integratorId, actor.integratorId), eq(bulkJobs.id, jobId)));
  const undone = isUndoable(operation) ? INVERSES[operation] : null;
  if (!job || job.operation !== undone || job.isCheck || job.state === "running") {
    const message = `This field must be the ID of a bulk job of yours that has ended, with the operation ${undone} and without check.`;
    throw new DomainError("validation_failed", message, { changed_by: [message] });
  }
  const { cardId, replaced, replacedControls, leftVersion: seenVersion } = bulkItems;
  const rows = await tx
    .select({ cardId, replaced, replacedControls, seenVersion })
    .from(bulkItems)
    .where(
      and(
        eq(bulkItems.integratorId, actor.integratorId),
        eq(bulkItems.jobId, jobId),
        or(isNotNull(replaced), isNotNull(replacedControls)),
      ),
    )
    // Last change first: if the job changed a card twice, the undos must run in reverse order.
    .orderBy(desc(bulkItems.position));
  return rows.flatMap(toInverses);
}

/** The items that undo what an item did to its card. */
function toInverses({
  cardId,
  replaced: freezes,
  replacedControls: controls,
  seenVersion,
}: Pick<BulkItem, "cardId" | "replaced" | "replacedControls" | "seenVersion">): BulkCard[] {
  const card = { cardId, amount: null, narrative: null, seenVersion };
  if (controls) {
    return [{ ...card, restoresControls: { from: controls.to, to: controls.from } }];
  }
  return FREEZE_LEVELS.flatMap((level) => {
    const restores = freezes?.[level];
    return restores === undefined ? [] : { ...card, level, restores };
  });
}

async function findMatching(
  { tx, actor }: WriteContext,
  filter: Omit<CardFilter, "limit">,
): Promise<BulkCard[]> {
  const ids = await findCardIds({ db: tx, actor }, { ...filter, limit: MATCHED_MAX });
  if (ids.length > MATCHED_MAX) {
    const message = `This filter matches more than ${MATCHED_MAX} cards. Narrow it, and make several jobs.`;
    throw new DomainError("validation_failed", message, { filter: [message] });
  }
  return ids.map((cardId) => ({ cardId, amount: null, narrative: null, seenVersion: null }));
}

async function insertItems(
  { tx, actor }: WriteContext,
  jobId: string,
  items: readonly (BulkCard & { position: number })[],
): Promise<void> {
  await tx.execute(
    insertRows("bulk_items", items, {
      integrator_id: ["uuid", () => actor.integratorId],
      job_id: ["uuid", () => jobId],
      position: ["int", ({ position }) => position],
      card_id: ["uuid", ({ cardId }) => cardId],
      amount: ["bigint", ({ amount }) => amount],
      narrative: ["text", ({ narrative }) => narrative],
      seen_version: ["bigint", ({ seenVersion }) => seenVersion],
      level: ["text", ({ level = null }) => level],
      restores: ["jsonb", ({ restores = null }) => restores],
      restores_controls: ["jsonb", ({ restoresControls = null }) => restoresControls],
    }),
  );
}

function requireJob(job: BulkJob | undefined): BulkJob {
  if (!job) {
    throw notFound("bulk_job_not_found");
  }
  return job;
}

/** The integrator's jobs, newest first. */
export async function listBulkJobs(
  { db, actor }: ReadContext,
  page: Period & { limit: number; cursor?: string | undefined },
): Promise<Page<BulkJob>> {
  const cursor = requireCursor(page.cursor);
  const rows = await db
    .select()
    .from(bulkJobs)
    .where(
      and(
        eq(bulkJobs.integratorId, actor.integratorId),
        isWithin(bulkJobs.id, page),
        cursor ? lt(bulkJobs.id, cursor) : undefined,
      ),
    )
    .orderBy(desc(bulkJobs.id))
    .limit(page.limit + 1);
  return toPage(rows, page.limit, ({ id }) => id);
}

/** @throws DomainError `bulk_job_not_found`, also for another integrator's job. */
export async function getBulkJob({ db, actor }: ReadContext, id: string): Promise<BulkJob> {
  const [job] = isId(id)
    ? await db
        .select()
        .from(bulkJobs)
        .where(and(eq(bulkJobs.integratorId, actor.integratorId), eq(bulkJobs.id, id)))
    : [];
  return requireJob(job);
}

/** The results of a job's cards, in the order in which they were named. */
export async function listBulkResults(
  { db, actor }: ReadContext,
  jobId: string,
  filter: { states?: readonly ItemState[] | undefined; limit: number; cursor?: string | undefined },
): Promise<Page<BulkItem>> {
  const cursor = requireVersionCursor(filter.cursor);
  const rows = await db
    .select()
    .from(bulkItems)
    .where(
      and(
        eq(bulkItems.integratorId, actor.integratorId),
        eq(bulkItems.jobId, jobId),
        filter.states && inArray(bulkItems.state, [...filter.states]),
        cursor === undefined ? undefined : gt(bulkItems.position, cursor),
      ),
    )
    .orderBy(asc(bulkItems.position))
    .limit(filter.limit + 1);
  return toPage(rows, filter.limit, ({ position }) => String(position));
}

/**
 * Cancels a job: completed items stay, and the rest are not tried. A job that has ended is returned as is.
 * @throws DomainError `bulk_job_not_found`; `scope_missing` for a caller who could not make such a job.
 */
export async function cancelBulkJob(
  { tx, actor }: WriteContext,
  id: string,
  caller: Pick<Member, "scopes">,
): Promise<BulkJob> {
  const [locked] = await tx
    .select()
    .from(bulkJobs)
    .where(and(eq(bulkJobs.integratorId, actor.integratorId), eq(bulkJobs.id, id)))
    .for("update");
  const job = requireJob(locked);
  requireBulkScope(caller, job.operation);
  if (job.state !== "running") {
    return job;
  }
  await tx.execute(sql`
    update bulk_items set state = 'canceled', narrative = null, restores = null, restores_controls = null
    where integrator_id = ${actor.integratorId} and job_id = ${id} and state = 'waiting'`);
  return countEnded(tx, job, { canceled: countWaiting(job), state: "canceled" });
}
