import { and, count, eq, ne, or, sql } from "drizzle-orm";
import type { SQL } from "drizzle-orm";
import { requireStaff } from "#lib/base/require-scope.ts";
import type { StaffIdentity } from "#lib/base/actor.ts";
import { toReadContext } from "#lib/base/context.ts";
import type { ReadContext, WriteContext } from "#lib/base/context.ts";
import { DomainError, notFound } from "#lib/base/errors.ts";
import { isId } from "#lib/base/ids.ts";
import type { Role } from "#lib/access/roles.ts";
import { nowOf, readMoment } from "#lib/base/moment.ts";
import { recordAudit } from "#lib/record/audit.ts";
import type { AuditAction } from "#lib/record/audit-actions.ts";
import { lockMaker } from "#lib/staff/staff.ts";
import type { StaffRow } from "#lib/staff/staff.ts";
import { viewCan } from "#lib/views/view-can.ts";
import { VIEWS_MAX } from "#lib/views/view-lists.ts";
import type { ViewList } from "#lib/views/view-lists.ts";
import { integrators } from "#db/schema/integrators.ts";
import { staff } from "#db/schema/staff.ts";
import { savedViews } from "#db/schema/views.ts";

/** A named search of one of the dashboard's lists. */
export interface SavedView {
  id: string;
  list: ViewList;
  name: string;
  /** What follows the `?` in the list's address. */
  query: string;
  shared: boolean;
  isMine: boolean;
  /** The name of the person who made it, who may have left. */
  createdBy: string;
  createdAt: Date;
  updatedAt: Date;
}

/** The members of a view that its maker sets. */
export interface ViewContent {
  name: string;
  query: string;
  shared: boolean;
}

/** Members that are absent stay as they are. */
export type ViewChanges = { [Member in keyof ViewContent]?: ViewContent[Member] | undefined };

/** What the person sees on a list, by name: their own views, and those that the account shares. */
export async function listViews(ctx: ReadContext, list: ViewList): Promise<SavedView[]> {
  const ofList = eq(savedViews.list, list);
  const own = selectViews(ctx, and(ofList, isOwn(requireStaff(ctx.actor))));
  const shared = selectViews(ctx, and(ofList, eq(savedViews.shared, true)));
  // Two selects, each by an index of its own.
  const views = await own.unionAll(shared);
  return views.toSorted((a, b) => NAMES.compare(a.name, b.name));
}

const NAMES = new Intl.Collator("en-US");

/**
 * Saves a view.
 * @throws DomainError `role_insufficient` for a viewer who shares; `validation_failed` if the name is taken, or if
 *   there are too many views.
 */
export async function createView(
  ctx: WriteContext,
  { list, ...content }: ViewContent & { list: ViewList },
): Promise<SavedView> {
  const { id: staffId, role } = await lockSets(ctx);
  if (content.shared) {
    requireNone(viewCan.share(role));
  }
  const { at, newId } = await readMoment(ctx.tx);
  const id = newId();
  await requireRoom(ctx, { id, list, ...content });
  await ctx.tx.insert(savedViews).values({
    integratorId: ctx.actor.integratorId,
    id,
    staffId,
    list,
    ...content,
    createdAt: at,
    updatedAt: at,
  });
  const view = await getView(ctx, id);
  await auditView(ctx, id, { action: "view.created", before: null, after: view });
  return view;
}

/**
 * Changes a view that the person sees.
 * @throws DomainError `view_not_found`, also for another person's own; `role_insufficient`; `validation_failed` for a name
 *   that is taken, for one view too many, or for making somebody else's view private.
 */
export async function updateView(
  ctx: WriteContext,
  id: string,
  changes: ViewChanges,
): Promise<SavedView> {
  const { role } = await lockSets(ctx);
  const before = await getView(ctx, id);
  const content = {
    name: changes.name ?? before.name,
    query: changes.query ?? before.query,
    shared: changes.shared ?? before.shared,
  };
  requireChangeable(role, before, content);
  await requireRoom(ctx, { id, list: before.list, ...content });
  await ctx.tx
    .update(savedViews)
    .set({ ...content, updatedAt: nowOf(ctx.tx) })
    .where(and(eq(savedViews.integratorId, ctx.actor.integratorId), eq(savedViews.id, id)));
  const after = await getView(ctx, id);
  await auditView(ctx, id, { action: "view.updated", before, after });
  return after;
}

/**
 * Deletes a view that the person sees.
 * @returns it as it was.
 * @throws DomainError `view_not_found`, also for another person's own; `role_insufficient`.
 */
export async function deleteView(ctx: WriteContext, id: string): Promise<SavedView> {
  const { role } = await lockSets(ctx);
  const view = await getView(ctx, id);
  requireNone(viewCan.delete(view, role));
  await ctx.tx
    .delete(savedViews)
    .where(and(eq(savedViews.integratorId, ctx.actor.integratorId), eq(savedViews.id, id)));
  await auditView(ctx, id, { action: "view.deleted", before: view, after: null });
  return view;
}

/**
 * Locks the two sets that a view may be in: the person's own, and those that the account shares. The person is locked
 * first, as in their removal.
 * @returns the person as they are now.
 */
async function lockSets(ctx: WriteContext): Promise<StaffRow> {
  const { maker } = await lockMaker(ctx);
  await ctx.tx
    .select({ id: integrators.id })
    .from(integrators)
    .where(eq(integrators.id, maker.integratorId))
    .for("no key update");
  return maker;
}

/** @throws DomainError `role_insufficient`; `validation_failed` for making somebody else's view private. */
function requireChangeable(role: Role, before: SavedView, { shared }: ViewContent): void {
  if (shared) {
    requireNone(before.shared ? viewCan.change(before, role) : viewCan.share(role));
    return;
  }
  const reason = before.shared ? viewCan.unshare(before, role) : null;
  if (reason !== null) {
    throw new DomainError("validation_failed", reason, { shared: [reason] });
  }
}

/** @throws DomainError `role_insufficient` with the reason, if there is one. */
function requireNone(reason: string | null): void {
  if (reason !== null) {
    throw new DomainError("role_insufficient", reason);
  }
}

/** @throws DomainError `validation_failed` if the view's set already has this name, or is full. */
async function requireRoom(
  { tx, actor }: WriteContext,
  { id, list, name, shared }: ViewContent & { id: string; list: ViewList },
): Promise<void> {
  const hasName = and(eq(savedViews.list, list), sql`lower(${savedViews.name}) = lower(${name})`);
  const [others] = await tx
    .select({ count: count(), isTaken: sql<boolean>`coalesce(bool_or(${hasName}), false)` })
    .from(savedViews)
    .where(
      and(
        eq(savedViews.integratorId, actor.integratorId),
        shared ? savedViews.shared : isOwn(requireStaff(actor)),
        ne(savedViews.id, id),
      ),
    );
  if (others?.isTaken) {
    const sentence = shared
      ? "Another shared view of this list has this name."
      : "Another of your views of this list has this name.";
    throw new DomainError("validation_failed", sentence, { name: [sentence] });
  }
  if ((others?.count ?? 0) >= VIEWS_MAX) {
    const sentence = shared
      ? `An account may share ${VIEWS_MAX} views. Delete one first.`
      : `A person may keep ${VIEWS_MAX} views of their own. Delete one first.`;
    throw new DomainError("validation_failed", sentence, { shared: [sentence] });
  }
}

/** @throws DomainError `view_not_found`. */
async function getView(ctx: WriteContext, id: string): Promise<SavedView> {
  const isSeen = or(isOwn(requireStaff(ctx.actor)), eq(savedViews.shared, true));
  const [view] = isId(id)
    ? await selectViews(toReadContext(ctx), and(eq(savedViews.id, id), isSeen))
    : [];
  if (!view) {
    throw notFound("view_not_found");
  }
  return view;
}

/** The account's views, as the person reads them. */
function selectViews({ db, actor }: ReadContext, which: SQL | undefined) {
  return db
    .select({
      id: savedViews.id,
      list: savedViews.list,
      name: savedViews.name,
      query: savedViews.query,
      shared: savedViews.shared,
      isMine: sql<boolean>`${savedViews.staffId} = ${requireStaff(actor).id}`,
      createdBy: sql<string>`${staff.firstName} || ' ' || ${staff.lastName}`,
      createdAt: savedViews.createdAt,
      updatedAt: savedViews.updatedAt,
    })
    .from(savedViews)
    .innerJoin(
      staff,
      and(eq(staff.integratorId, savedViews.integratorId), eq(staff.id, savedViews.staffId)),
    )
    .where(and(eq(savedViews.integratorId, actor.integratorId), which));
}

function isOwn({ id }: StaffIdentity): SQL | undefined {
  return and(eq(savedViews.staffId, id), eq(savedViews.shared, false));
}

/** Records an audit entry without name and query: they may hold a cardholder's data, which the audit log must not. */
async function auditView(
  ctx: WriteContext,
  id: string,
  change: { action: AuditAction; before: SavedView | null; after: SavedView | null },
): Promise<void> {
  await recordAudit(ctx.tx, ctx.actor.integratorId, [
    {
      action: change.action,
      actor: ctx.actor.ref,
      request: ctx.request,
      targetType: "view",
      targetId: id,
      before: change.before && toAudited(change.before),
      after: change.after && toAudited(change.after),
    },
  ]);
}

function toAudited({ list, shared }: SavedView): Record<string, unknown> {
  return { list, shared };
}
