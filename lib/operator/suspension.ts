import { asc, eq, isNotNull } from "drizzle-orm";
import { OPERATOR } from "#lib/base/actor.ts";
import type { RequestOrigin } from "#lib/base/context.ts";
import { notFound } from "#lib/base/errors.ts";
import { isId } from "#lib/base/ids.ts";
import { tellOfResumption, tellOfSuspension } from "#lib/messages/tell-of-suspension.ts";
import type { Suspension } from "#lib/messages/tell-of-suspension.ts";
import { recordAudit } from "#lib/record/audit.ts";
import { recordAccountEvents } from "#lib/record/events.ts";
import { NOW } from "#db/schema/columns.ts";
import { integrators } from "#db/schema/integrators.ts";
import type { Db } from "#db/client.ts";
import { awaitEarlierWriters } from "#db/earlier-writers.ts";
import { inTransaction } from "#db/transaction.ts";
import type { Tx } from "#db/transaction.ts";

/** An integrator to suspend, resume, stop, or start. */
interface Switched {
  request: RequestOrigin;
  id: string;
}

/**
 * Stops all spending on an integrator's cards: every later authorization and purchase is declined. Earlier
 * approvals proceed, and the integrator itself can do everything as before. Does nothing when it is already
 * suspended. Its owners are told.
 * @returns when it was suspended.
 * @throws DomainError `integrator_not_found`.
 */
export function suspendIntegrator(db: Db, switched: Switched): Promise<Date> {
  return begin(db, { ...switched, kind: "suspended" });
}

/**
 * Lets a suspended integrator's cards spend again, and tells its owners. Does nothing when it is not suspended.
 * @throws DomainError `integrator_not_found`.
 */
export function resumeIntegrator(db: Db, switched: Switched): Promise<void> {
  return end(db, { ...switched, kind: "suspended" });
}

/**
 * Stops an integrator completely: it can change nothing anymore, and its cards decline, as in a suspension. Reads and
 * webhooks continue, and facts from the card network are still recorded. Does nothing when it is already stopped. Its
 * owners are told. Once this has resolved, no earlier change is still in progress.
 * @returns when it was stopped.
 * @throws DomainError `integrator_not_found`; Error when earlier changes do not end.
 */
export async function stopIntegrator(db: Db, switched: Switched): Promise<Date> {
  const at = await begin(db, { ...switched, kind: "stopped" });
  if (!(await awaitEarlierWriters(db, "integrators"))) {
    throw new Error(
      "The integrator is stopped, but changes that began before have not ended yet. Run this again; it waits for them.",
    );
  }
  return at;
}

/**
 * Lets a stopped integrator change things again, and tells its owners. Does nothing when it is not stopped.
 * @throws DomainError `integrator_not_found`.
 */
export function startIntegrator(db: Db, switched: Switched): Promise<void> {
  return end(db, { ...switched, kind: "stopped" });
}

/** The ids of the first hundred integrators that are stopped. */
export async function listStopped(db: Db): Promise<string[]> {
  const rows = await db
    .select({ id: integrators.id })
    .from(integrators)
    .where(isNotNull(integrators.stoppedAt))
    .orderBy(asc(integrators.id))
    .limit(LISTED_MAX);
  return rows.map(({ id }) => id);
}

const LISTED_MAX = 100;

type Switch = Switched & { kind: Suspension };

const COLUMNS = { suspended: "suspendedAt", stopped: "stoppedAt" } as const;
const MEMBERS = { suspended: "suspended_at", stopped: "stopped_at" } as const;
const ACTIONS = {
  suspended: { begun: "integrator.suspended", ended: "integrator.resumed" },
  stopped: { begun: "integrator.stopped", ended: "integrator.started" },
} as const;

async function begin(db: Db, { kind, ...switched }: Switch): Promise<Date> {
  const { at, isNew } = await inTransaction(db, (tx) => set(tx, { ...switched, kind }, NOW));
  if (isNew) {
    await tellOfSuspension(db, switched.id, kind);
  }
  if (!at) {
    throw new Error(`Integrator ${switched.id} was not ${kind}.`);
  }
  return at;
}

async function end(db: Db, switched: Switch): Promise<void> {
  const { isNew } = await inTransaction(db, (tx) => set(tx, switched, null));
  if (isNew) {
    await tellOfResumption(db, switched.id);
  }
}

/** Sets or clears the time since when the integrator is suspended or stopped, unless it is already in that state. */
async function set(
  tx: Tx,
  { request, id, kind }: Switch,
  since: typeof NOW | null,
): Promise<{ at: Date | null; isNew: boolean }> {
  const column = COLUMNS[kind];
  const [before] = isId(id)
    ? await tx.select().from(integrators).where(eq(integrators.id, id)).for("no key update")
    : [];
  if (!before) {
    throw notFound("integrator_not_found");
  }
  if ((before[column] === null) === (since === null)) {
    return { at: before[column], isNew: false };
  }
  const [after] = await tx
    .update(integrators)
    .set({ [column]: since, updatedAt: NOW })
    .where(eq(integrators.id, before.id))
    .returning({ at: integrators[column] });
  const at = after?.at ?? null;
  const named = (when: Date | null) => ({ [MEMBERS[kind]]: when?.toISOString() ?? null });
  await recordAccountEvents(tx, { ...before, integratorId: before.id }, [
    {
      event: "integrator.updated",
      subject: { type: "account", id: before.id },
      actor: OPERATOR,
      requestId: request.id,
      data: named(at),
      previous: named(before[column]),
    },
  ]);
  await recordAudit(tx, before.id, [
    {
      actor: OPERATOR,
      request,
      action: ACTIONS[kind][since === null ? "ended" : "begun"],
      targetType: "account",
      targetId: before.id,
      before: named(before[column]),
      after: named(at),
    },
  ]);
  return { at, isNew: true };
}
