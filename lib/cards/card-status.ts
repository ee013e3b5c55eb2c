import { sql } from "drizzle-orm";
import { insertAudit } from "#lib/record/audit.ts";
import type { AuditRow } from "#lib/record/audit.ts";
import { findCardAccount, lockCards, findPause } from "#lib/ledger/accounts.ts";
import type { LockedAccounts } from "#lib/ledger/accounts.ts";
import { findCards } from "#lib/cards/card-reads.ts";
import { toCardResource, toFreezeResource } from "#lib/cards/card-resource.ts";
import type { Card, Freeze } from "#lib/cards/card-resource.ts";
import { cardCan, isGraver } from "#lib/cards/card-state.ts";
import type { CardStatus, FreezeReason } from "#lib/cards/card-state.ts";
import type { Caller } from "#lib/base/context.ts";
import { DomainError, notFound } from "#lib/base/errors.ts";
import { countEvents, recordEvents } from "#lib/record/events.ts";
import type { EventDraft } from "#lib/record/events.ts";
import { EMPTY_BATCH, findBatchIntegrator } from "#lib/group-commit/batch.ts";
import type { DecidedBatch, Result } from "#lib/group-commit/batch.ts";
import { insertPersonal } from "#lib/record/personal-values.ts";
import { insertRows } from "#db/insert-rows.ts";
import { pipeline } from "#db/pipeline.ts";
import type { Tx } from "#db/transaction.ts";

/** A requested status change of a card, and its reason. */
export interface StatusChange {
  cardId: string;
  to: CardStatus;
  /** Freezes only. */
  reason: FreezeReason | null;
  comment: string | null;
  /** The version of the status that the caller has seen; null if any will do. */
  statusVersion: number | null;
}

/** One request to change a card's status, and its caller. */
export interface StatusRequest extends StatusChange, Caller {}

/** The rule that allows each status, and the event that reports the change. */
const RULES = {
  active: { can: cardCan.unfreeze, event: "card.unfrozen" },
  frozen: { can: cardCan.freeze, event: "card.frozen" },
  closed: { can: cardCan.close, event: "card.closed" },
} as const;

/**
 * Changes the status of one integrator's cards: any number of requests in one transaction, each with its history row, its
 * event, and its audit row. Once a freeze has committed, nothing that starts later can be approved on the card. A
 * card that already has the requested status is left unchanged, unless a freeze gives a reason that a frozen card was not
 * given yet: that amends its freeze. A request that names a `statusVersion` is refused if the status has changed since,
 * even if it has changed back.
 */
export async function changeCardStatus(
  tx: Tx,
  requests: readonly StatusRequest[],
): Promise<DecidedBatch<Card>> {
  const integratorId = findBatchIntegrator(requests);
  if (!integratorId) {
    return EMPTY_BATCH;
  }
  const ids = requests.map(({ cardId }) => cardId);
  // Locks come first: nothing can change the rows read after them.
  const [{ accounts, integrator }, cards] = await pipeline([
    lockCards(tx, integratorId, ids),
    findCards(tx, integratorId, ids),
  ]);
  const byId = new Map(cards.map((card) => [card.id, card]));
  const changed: AppliedChange[] = [];
  const results = requests.map((request): Result<Card> => {
    const pause = findPause(integrator);
    if (pause) {
      return { refusal: pause };
    }
    const outcome = decideOne(accounts, byId.get(request.cardId), request);
    if (!("before" in outcome)) {
      return outcome;
    }
    byId.set(request.cardId, outcome.card);
    changed.push(outcome);
    return { done: outcome.card };
  });
  const write = async () => {
    if (changed.length === 0) {
      return;
    }
    const last = [...new Map(changed.map(({ card }) => [card.id, card])).values()];
    const drafts = changed.map(toEvent);
    await pipeline([
      updateAccounts(tx, accounts, { cards: last, events: countEvents(drafts) }),
      updateCards(tx, accounts, last),
      insertStateChanges(tx, accounts, changed),
      recordEvents(tx, integrator, { subjects: accounts, drafts }),
      insertAudit(tx, accounts, changed.map(toAuditRow)),
    ]);
  };
  return { results, write };
}

/** A change that applies: the card before and right after it. */
interface AppliedChange {
  request: StatusRequest;
  before: Card;
  card: Card;
}

function decideOne(
  accounts: LockedAccounts,
  card: Card | undefined,
  request: StatusRequest,
): Result<Card> | AppliedChange {
  const account = findCardAccount(accounts, request.cardId);
  if (!account || !card) {
    return { refusal: notFound("card_not_found") };
  }
  const disabledReason = RULES[request.to].can({ ...account, status: card.status });
  if (disabledReason) {
    return { refusal: new DomainError(disabledReason.code, disabledReason.detail) };
  }
  if (request.statusVersion !== null && request.statusVersion !== card.statusVersion) {
    return { refusal: toStatusChanged(card) };
  }
  if (card.status === request.to && !isAmendment(card, request)) {
    return { done: card };
  }
  return { request, before: card, card: toCardAfter(card, request, accounts.at) };
}

/** The status may have changed back. The version distinguishes the caller's own change from another one. */
function toStatusChanged(card: Card): DomainError {
  return new DomainError(
    "card_status_changed",
    `Since you last read this card, its status has changed: it is now ${card.status}. Nothing was changed.`,
  );
}

/** Whether a freeze gives a reason that the card's freeze was not given yet. A repeat does not. */
function isAmendment({ freeze }: Card, { reason }: StatusRequest): boolean {
  return freeze !== null && reason !== null && !freeze.reasons.includes(reason);
}

function toCardAfter(card: Card, request: StatusRequest, at: Date): Card {
  return {
    ...card,
    status: request.to,
    statusVersion: card.statusVersion + 1,
    freeze: request.to === "frozen" ? toFreezeAfter(card.freeze, request, at) : null,
    updatedAt: at,
  };
}

/** A milder reason is added to those of the freeze, but never replaces a graver one. */
function toFreezeAfter(
  before: Freeze | null,
  { reason, comment, actor }: StatusRequest,
  at: Date,
): Freeze {
  const reasons = [...(before?.reasons ?? []), ...(reason === null ? [] : [reason])];
  return before && reason !== null && !isGraver(reason, before.reason)
    ? { ...before, reasons }
    : { frozenAt: before?.frozenAt ?? at, reason, comment, actor: actor.ref, reasons };
}

function toEvent({ request, before, card }: AppliedChange): EventDraft {
  return {
    event: RULES[card.status].event,
    subject: { type: "card", id: card.id },
    actor: request.actor.ref,
    requestId: request.request.id,
    data: { ...toCardResource(card), ...(card.freeze && toGiven(before, request)) },
    previous: {
      status: before.status,
      ...(before.freeze && card.freeze && { freeze: toFreezeResource(before.freeze) }),
    },
  };
}

/** What the event of a freeze contains in addition to the card. */
function toGiven({ freeze }: Card, { reason }: StatusRequest) {
  return { amended: freeze !== null, given_reason: reason };
}

function toAuditRow({ request, before, card }: AppliedChange): AuditRow {
  const { actor, reason, comment } = request;
  return {
    actor: actor.ref,
    request: request.request,
    action: RULES[card.status].event,
    targetType: "card",
    targetId: card.id,
    ...(before.freeze && card.freeze
      ? {
          before: { status: before.status, reason: before.freeze.reason },
          after: { status: card.status, reason, comment, standing_reason: card.freeze.reason },
        }
      : { before: { status: before.status }, after: { status: card.status, reason, comment } }),
  };
}

/** Writes the statuses, and advances each card's event counter by its number of events. */
async function updateAccounts(
  tx: Tx,
  { integratorId, at }: LockedAccounts,
  { cards, events }: { cards: readonly Card[]; events: ReadonlyMap<string, number> },
): Promise<void> {
  const ids = sql.param(cards.map(({ id }) => id));
  await tx.execute(sql`
    update ledger_accounts a
    set status = changed.status, event_sequence = a.event_sequence + changed.events,
      updated_at = to_timestamp(${at.getTime()}::float8 / 1000)
    from unnest(
      ${ids}::uuid[],
      ${sql.param(cards.map(({ status }) => status))}::text[],
      ${sql.param(cards.map(({ id }) => events.get(id) ?? 0))}::bigint[]
    ) as changed (id, status, events)
    where a.integrator_id = ${integratorId} and a.id = any(${ids}::uuid[]) and a.id = changed.id`);
}

async function updateCards(
  tx: Tx,
  { integratorId, at }: LockedAccounts,
  cards: readonly Card[],
): Promise<void> {
  const column = <T>(read: (freeze: Card["freeze"]) => T) =>
    sql.param(cards.map(({ freeze }) => read(freeze)));
  const ids = sql.param(cards.map(({ id }) => id));
  await tx.execute(sql`
    update cards c
    set status_version = changed.status_version, frozen_at = to_timestamp(changed.frozen_at / 1000),
      freeze_reason = changed.reason, freeze_reasons = string_to_array(changed.reasons, ','), freeze_comment = changed.comment, frozen_by = changed.frozen_by::jsonb,
      updated_at = to_timestamp(${at.getTime()}::float8 / 1000)
    from unnest(
      ${ids}::uuid[],
      ${sql.param(cards.map(({ statusVersion }) => statusVersion))}::int[],
      ${column((freeze) => freeze?.frozenAt.getTime() ?? null)}::float8[],
      ${column((freeze) => freeze?.reason ?? null)}::text[],
      ${column((freeze) => freeze?.reasons.join(",") ?? null)}::text[],
      ${column((freeze) => freeze?.comment ?? null)}::text[],
      ${column((freeze) => freeze && JSON.stringify(freeze.actor))}::text[]
    ) as changed (id, status_version, frozen_at, reason, reasons, comment, frozen_by)
    where c.integrator_id = ${integratorId} and c.id = any(${ids}::uuid[]) and c.id = changed.id`);
}

async function insertStateChanges(
  tx: Tx,
  { integratorId, at, newId }: LockedAccounts,
  changed: readonly AppliedChange[],
): Promise<void> {
  const rows = changed.map((change) => ({ ...change, id: newId() }));
  await pipeline([
    tx.execute(
      insertRows("card_state_changes", rows, {
        integrator_id: ["uuid", () => integratorId],
        id: ["uuid", ({ id }) => id],
        card_id: ["uuid", ({ card }) => card.id],
        from_status: ["text", ({ before }) => before.status],
        to_status: ["text", ({ card }) => card.status],
        reason: ["text", ({ request }) => request.reason],
        actor: ["jsonb", ({ request }) => request.actor.ref],
        request_id: ["text", ({ request }) => request.request.id],
        created_at: ["timestamptz", () => at],
      }),
    ),
    insertPersonal(
      tx,
      integratorId,
      rows.map(({ id, card, request: { comment } }) => ({
        recordId: id,
        subjectId: card.id,
        personal: comment === null ? null : { comment },
      })),
    ),
  ]);
}
