import { sql } from "drizzle-orm";
import type { ActorRef } from "#lib/base/actor.ts";
import type { RequestOrigin } from "#lib/base/context.ts";
import { toCardResource, toFreezeResource } from "#lib/cards/card-resource.ts";
import type { Card, Freeze } from "#lib/cards/card-resource.ts";
import { findFreeze, toNextEnd } from "#lib/cards/freezes.ts";
import type { Change } from "#lib/cards/freezes.ts";
import { toIdleDueFrom } from "#lib/cards/idle-due.ts";
import { toStoredFreeze } from "#lib/cards/stored-freezes.ts";
import type { Locked, LockedAccounts } from "#lib/ledger/accounts.ts";
import { updateStatuses } from "#lib/ledger/post.ts";
import { insertAudit } from "#lib/record/audit.ts";
import type { AuditRow } from "#lib/record/audit.ts";
import { countEvents, recordEvents } from "#lib/record/events.ts";
import type { EventDraft } from "#lib/record/events.ts";
import { insertPersonal } from "#lib/record/personal-values.ts";
import { insertRows } from "#db/insert-rows.ts";
import { pipeline } from "#db/pipeline.ts";
import type { StoredFreezes } from "#db/schema/cards.ts";
import type { StoredAutoFreeze } from "#db/schema/integrators.ts";
import type { Tx } from "#db/transaction.ts";

/** The account's setting that made a freeze, as it was at that time, under its name in the API. */
export interface FreezeRule {
  auto_freeze: StoredAutoFreeze | null;
  idle_freeze_days: number | null;
}

/** A change of a card's status or of its freezes, and who made it. */
export interface ChangeBy extends Change {
  actor: ActorRef;
  request: RequestOrigin;
  /** The account's setting that made the freeze; absent if somebody requested it. */
  rule?: FreezeRule;
}

/** The event of each status that a card changes to. */
const EVENTS = { active: "card.unfrozen", frozen: "card.frozen", closed: "card.closed" } as const;

/**
 * Writes changes of locked cards, in order: status, freezes, history, events, and audit log.
 * @returns the accounts as they are afterward.
 */
export async function writeStatusChanges(
  tx: Tx,
  { accounts, integrator }: Locked,
  changes: readonly ChangeBy[],
): Promise<LockedAccounts> {
  if (changes.length === 0) {
    return accounts;
  }
  const drafts = changes.flatMap(toStatusEvents);
  const events = countEvents(drafts);
  await pipeline([
    writeStatuses(tx, { accounts, integrator }, { changes, events }),
    recordEvents(tx, integrator, { subjects: accounts, drafts }),
    insertAudit(tx, accounts, changes.map(toStatusAudit)),
  ]);
  const byId = new Map(accounts.byId);
  for (const card of toLastStates(changes)) {
    const account = byId.get(card.id);
    if (account) {
      byId.set(card.id, {
        ...account,
        status: card.status,
        freezeDueAt: toNextEnd(card),
        eventSequence: account.eventSequence + (events.get(card.id) ?? 0),
      });
    }
  }
  return { ...accounts, byId };
}

/**
 * Writes changes of locked cards except for their events and audit rows (`toStatusEvents`, `toStatusAudit`), which the
 * caller writes together with its own.
 * @param events the number of events written with each status, by card id. Its event counter advances by that number.
 */
export async function writeStatuses(
  tx: Tx,
  { accounts, integrator }: Locked,
  { changes, events }: { changes: readonly ChangeBy[]; events: ReadonlyMap<string, number> },
): Promise<void> {
  if (changes.length === 0) {
    return;
  }
  const last = toLastStates(changes);
  const idleDueAt = toIdleDueFrom(integrator, accounts.at);
  await pipeline([
    updateStatuses(
      tx,
      accounts,
      last.map((card) => ({
        id: card.id,
        status: card.status,
        freezeDueAt: toNextEnd(card),
        idleDueAt: card.status === "active" ? idleDueAt : null,
        events: events.get(card.id) ?? 0,
      })),
    ),
    updateCards(tx, accounts, last),
    insertStateChanges(tx, accounts, changes),
  ]);
}

/** Each changed card as it is after the last of its changes. */
function toLastStates(changes: readonly ChangeBy[]): Card[] {
  return [...new Map(changes.map(({ card }) => [card.id, card])).values()];
}

/** Whether a change lifted a freeze. */
function isLift({ level, card }: Change): boolean {
  return level !== null && !findFreeze(card, level);
}

/** The events of a change. A lift sends none while another freeze stands. */
export function toStatusEvents(change: ChangeBy): EventDraft[] {
  const { actor, request, before, card } = change;
  if (isLift(change) && card.freeze) {
    return [];
  }
  const draft = {
    event: EVENTS[card.status],
    subject: { type: "card" as const, id: card.id },
    actor,
    requestId: request.id,
    data: { ...toCardResource(card), ...toGiven(change) },
    previous: {
      status: before.status,
      ...(before.freeze && card.freeze && { freeze: toFreezeResource(before.freeze) }),
    },
  };
  return [draft];
}

/** The members of an event's data besides the card. */
function toGiven({ before, card, level, reason, dueAt, rule }: ChangeBy) {
  if (card.status === "frozen") {
    const given = { given_reason: reason, given_level: level, rule: rule ?? null };
    return { amended: before.freeze !== null, ...given };
  }
  return card.status === "active" ? { due_at: dueAt?.toISOString() ?? null } : {};
}

/** The audit row of a change. */
export function toStatusAudit(change: ChangeBy): AuditRow {
  const { actor, request, card } = change;
  return {
    actor,
    request,
    action: isLift(change) && card.freeze ? "card.freeze-lifted" : EVENTS[card.status],
    targetType: "card",
    targetId: card.id,
    ...toAudited(change),
  };
}

function toAudited(change: Change): Pick<AuditRow, "before" | "after"> {
  const { before, card, level, reason, comment, dueAt } = change;
  const asked = { status: card.status, reason, comment };
  if (level === null) {
    return { before: { status: before.status }, after: asked };
  }
  const now = findFreeze(card, level);
  if (!now) {
    const due = dueAt && { due_at: dueAt.toISOString() };
    return { before: { status: before.status, level }, after: { ...asked, ...due } };
  }
  const ends = toEnds(findFreeze(before, level), now);
  return {
    before: { status: before.status, ...toReason(before, "reason"), ...ends.before },
    after: {
      ...asked,
      ...(before.freeze && toReason(card, "standing_reason")),
      level,
      ...ends.after,
    },
  };
}

/** The reason for which a card is frozen, if it is. */
function toReason({ freeze }: Card, name: string) {
  return freeze && { [name]: freeze.reason };
}

/** The end of a freeze before and after a change, if it changed. */
function toEnds(before: Freeze | undefined, after: Freeze) {
  const [was, is] = [before, after].map((freeze) => freeze?.until?.toISOString() ?? null);
  return was === is ? {} : { before: before && { until: was }, after: { until: is } };
}

async function updateCards(
  tx: Tx,
  { integratorId, at }: LockedAccounts,
  cards: readonly Card[],
): Promise<void> {
  const ids = sql.param(cards.map(({ id }) => id));
  await tx.execute(sql`
    update cards c
    set status_version = changed.status_version, freezes = changed.freezes::jsonb,
      updated_at = to_timestamp(${at.getTime()}::float8 / 1000)
    from unnest(
      ${ids}::uuid[],
      ${sql.param(cards.map(({ statusVersion }) => statusVersion))}::int[],
      ${sql.param(cards.map((card) => (card.freeze ? JSON.stringify(toStored(card)) : null)))}::text[]
    ) as changed (id, status_version, freezes)
    where c.integrator_id = ${integratorId} and c.id = any(${ids}::uuid[]) and c.id = changed.id`);
}

function toStored({ freezes }: Card): StoredFreezes {
  return Object.fromEntries(freezes.map((freeze) => [freeze.level, toStoredFreeze(freeze)]));
}

async function insertStateChanges(
  tx: Tx,
  { integratorId, at, newId }: LockedAccounts,
  changes: readonly ChangeBy[],
): Promise<void> {
  const rows = changes.map((change) => ({ ...change, id: newId() }));
  await pipeline([
    tx.execute(
      insertRows("card_state_changes", rows, {
        integrator_id: ["uuid", () => integratorId],
        id: ["uuid", ({ id }) => id],
        card_id: ["uuid", ({ card }) => card.id],
        from_status: ["text", ({ before }) => before.status],
        to_status: ["text", ({ card }) => card.status],
        reason: ["text", ({ reason }) => reason],
        level: ["text", ({ level }) => level],
        lifted: ["boolean", isLift],
        until: ["timestamptz", ({ card, level, dueAt }) => findFreeze(card, level)?.until ?? dueAt],
        actor: ["jsonb", ({ actor }) => actor],
        request_id: ["text", ({ request }) => request.id],
        created_at: ["timestamptz", () => at],
      }),
    ),
    insertPersonal(
      tx,
      integratorId,
      rows.map(({ id, card, comment }) => ({
        recordId: id,
        subjectId: card.id,
        personal: comment === null ? null : { comment },
      })),
    ),
  ]);
}
