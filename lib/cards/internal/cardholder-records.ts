import { and, eq, sql } from "drizzle-orm";
import type { WriteContext } from "#lib/base/context.ts";
import { DomainError, notFound } from "#lib/base/errors.ts";
import type { CardholderDisabledReason } from "#lib/cards/cardholder-state.ts";
import type { Moment } from "#lib/base/ids.ts";
import { nowOf, readMoment } from "#lib/base/moment.ts";
import type { Cardholder } from "#lib/cards/cardholder-reads.ts";
import { readIntegratorAccounts } from "#lib/ledger/accounts.ts";
import type { IntegratorAccounts } from "#lib/ledger/accounts.ts";
import type { AuditAction } from "#lib/record/audit-actions.ts";
import { insertAudit } from "#lib/record/audit.ts";
import { recordEvents } from "#lib/record/events.ts";
import type { EventName } from "#lib/record/event-catalog.ts";
import type { EventDraft } from "#lib/record/events.ts";
import { cardholders } from "#db/schema/integrators.ts";
import { pipeline } from "#db/pipeline.ts";
import type { Tx } from "#db/transaction.ts";

/**
 * Locks a cardholder of the caller's integrator: nothing else can change them, and no card can be created for them, until
 * the transaction ends.
 * @throws DomainError `user_not_found`.
 */
export function lockCardholder(ctx: WriteContext, id: string): Promise<Cardholder> {
  return lock(ctx, id, "no key update");
}

/**
 * Locks a cardholder against changes only, so that cards for them can be created concurrently.
 * @throws DomainError `user_not_found`.
 */
export function shareCardholder(ctx: WriteContext, id: string): Promise<Cardholder> {
  return lock(ctx, id, "share");
}

/**
 * Locks a cardholder against everything that `lockCardholder` prevents, and against storing any of their values.
 * @throws DomainError `user_not_found`.
 */
export function lockCardholderWhole(ctx: WriteContext, id: string): Promise<Cardholder> {
  return lock(ctx, id, "update");
}

/**
 * Locks a cardholder against being erased only.
 * @throws DomainError `user_not_found`.
 */
export function keepCardholder(ctx: WriteContext, id: string): Promise<Cardholder> {
  return lock(ctx, id, "key share");
}

/** @throws DomainError the reason, if there is one. */
export function refuse(disabledReason: CardholderDisabledReason | null): void {
  if (disabledReason) {
    throw new DomainError(disabledReason.code, disabledReason.detail);
  }
}

async function lock(
  { tx, actor }: WriteContext,
  id: string,
  strength: "key share" | "share" | "no key update" | "update",
): Promise<Cardholder> {
  const [row] = await tx
    .select()
    .from(cardholders)
    .where(and(eq(cardholders.integratorId, actor.integratorId), eq(cardholders.id, id)))
    .for(strength);
  if (!row) {
    throw notFound("user_not_found");
  }
  return row;
}

/** A cardholder whose row, with its event counter, this transaction has written. */
interface WrittenCardholder {
  row: StoredCardholder;
  integrator: IntegratorAccounts;
  /** Read after the row was locked or created. */
  moment: Moment;
}

type StoredCardholder = typeof cardholders.$inferSelect;

/** Writes changed members of a locked cardholder, and counts the one event that reports them. */
export async function writeCardholder(
  { tx }: WriteContext,
  { integratorId, id }: Cardholder,
  changes: Partial<Cardholder>,
): Promise<WrittenCardholder> {
  const [integrator, moment, row] = await pipeline([
    readIntegratorAccounts(tx, integratorId),
    readMoment(tx),
    updateRow(tx, { integratorId, id }, changes),
  ]);
  return { row, integrator, moment };
}

async function updateRow(
  tx: Tx,
  { integratorId, id }: Pick<Cardholder, "integratorId" | "id">,
  changes: Partial<Cardholder>,
): Promise<StoredCardholder> {
  const [row] = await tx
    .update(cardholders)
    .set({
      ...changes,
      eventSequence: sql`${cardholders.eventSequence} + 1`,
      updatedAt: nowOf(tx),
    })
    .where(and(eq(cardholders.integratorId, integratorId), eq(cardholders.id, id)))
    .returning();
  if (!row) {
    throw new Error(`Cardholder ${id} was locked but cannot be updated.`);
  }
  return row;
}

/** A change of a cardholder. The event's data names the cardholder; personal details are for the audit log alone. */
interface CardholderRecord {
  event: EventName;
  data: Readonly<Record<string, unknown>>;
  /** The event's members as they were. */
  previous?: Readonly<Record<string, unknown>>;
  action: AuditAction;
  before: Readonly<Record<string, unknown>> | null;
  after: Readonly<Record<string, unknown>>;
}

/** Records a change of a cardholder as an event and in the audit log. */
export async function recordCardholder(
  { tx, actor, request }: WriteContext,
  { row, integrator, moment }: WrittenCardholder,
  { event, data, previous, ...audited }: CardholderRecord,
): Promise<void> {
  const { integratorId, id, eventSequence } = row;
  const subjects = { ...moment, byId: new Map([[id, { eventSequence: eventSequence - 1 }]]) };
  const draft: EventDraft = {
    event,
    subject: { type: "cardholder", id },
    actor: actor.ref,
    requestId: request.id,
    data: { ...data, user_id: id },
    ...(previous && { previous }),
  };
  await pipeline([
    recordEvents(tx, integrator, { subjects, drafts: [draft] }),
    insertAudit(tx, { integratorId, ...moment }, [
      { ...audited, actor: actor.ref, request, targetType: "cardholder", targetId: id },
    ]),
  ]);
}
