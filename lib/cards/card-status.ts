import { EXPIRY } from "#lib/base/actor.ts";
import type { Caller } from "#lib/base/context.ts";
import { toDeadlineTime } from "#lib/base/deadline-clock.ts";
import { DomainError, notFound } from "#lib/base/errors.ts";
import { newId } from "#lib/base/ids.ts";
import { findCards } from "#lib/cards/card-reads.ts";
import type { Card, Freeze } from "#lib/cards/card-resource.ts";
import { cardCan, FREEZE_DAYS_MAX } from "#lib/cards/card-state.ts";
import type { FreezeLevel } from "#lib/cards/card-state.ts";
import {
  amendFreeze,
  endsEarlier,
  findFreeze,
  liftEnded,
  liftFreezes,
  makeFreeze,
  toCardAfter,
  toFreezes,
} from "#lib/cards/freezes.ts";
import type { Change, FreezeTerms } from "#lib/cards/freezes.ts";
import { toNotLiftable, toReasonRequired } from "#lib/cards/freeze-rights.ts";
import { writeStatusChanges } from "#lib/cards/status-records.ts";
import type { ChangeBy } from "#lib/cards/status-records.ts";
import { undoLevel } from "#lib/cards/internal/undo-level.ts";
import type { Undoing } from "#lib/cards/internal/undo-level.ts";
import { EMPTY_BATCH, findBatchIntegrator } from "#lib/group-commit/batch.ts";
import type { DecidedBatch, Result } from "#lib/group-commit/batch.ts";
import { findCardAccount, findPause, lockCards } from "#lib/ledger/accounts.ts";
import type { Locked } from "#lib/ledger/accounts.ts";
import { pipeline } from "#db/pipeline.ts";
import type { Tx } from "#db/transaction.ts";

/** The part of a request that all changes share. */
interface Asked {
  cardId: string;
  comment?: string | null | undefined;
  /** The version of the status that the caller has seen; null if any will do. */
  statusVersion: number | null;
}

/** Makes a freeze, or amends the standing one of its level. */
interface Freezing extends Asked, FreezeTerms {
  to: "frozen";
  /** The levels that the caller may lift. Moving an end earlier counts as a lift. */
  mayLift: readonly FreezeLevel[];
}

/** Lifts the freeze of one level, or of all. */
interface Lifting extends Asked {
  to: "active";
  /** Null for all. */
  level: FreezeLevel | null;
  mayLift: readonly FreezeLevel[];
}

interface Closing extends Asked {
  to: "closed";
}

/** A requested change of a card's status. */
export type StatusChange = Freezing | Lifting | Closing | (Asked & Undoing);

/** One request to change a card's status, and its caller. */
export type StatusRequest = StatusChange & Caller;

/** The rule that allows each status. */
const RULES = {
  active: cardCan.unfreeze,
  frozen: cardCan.freeze,
  closed: cardCan.close,
  undone: cardCan.freeze,
} as const;

/** A card after a request, and what the request changed, in order. */
export interface StatusChanged {
  card: Card;
  changes: readonly Change[];
}

/**
 * Changes the status of one integrator's cards: any number of requests in one transaction, each with its history rows,
 * its event, and its audit rows. Once a freeze has committed, nothing that starts later can be approved on the card
 * until every freeze of it is lifted or has ended. A request that changes nothing is answered with the card. A request
 * that names a `statusVersion` is refused if the status has changed since, even if it has changed back. Before anything
 * else, freezes that have ended are lifted.
 */
export async function changeCardStatus(
  tx: Tx,
  requests: readonly StatusRequest[],
): Promise<DecidedBatch<Card>> {
  const { results, write } = await changeStatuses(tx, requests);
  return {
    results: results.map((result) => ("refusal" in result ? result : { done: result.done.card })),
    write,
  };
}

/** As `changeCardStatus`, but also returns what each request changes. */
export async function changeStatuses(
  tx: Tx,
  requests: readonly StatusRequest[],
): Promise<DecidedBatch<StatusChanged>> {
  const integratorId = findBatchIntegrator(requests);
  if (!integratorId) {
    return EMPTY_BATCH;
  }
  const ids = requests.map(({ cardId }) => cardId);
  // Locks come first: nothing can change the rows read after them.
  const [locked, cards] = await pipeline([
    lockCards(tx, integratorId, ids),
    findCards(tx, integratorId, ids),
  ]);
  const { results, changed } = decideStatuses({ ...locked, cards }, requests);
  return { results, write: async () => void (await writeStatusChanges(tx, locked, changed)) };
}

/** Decides requests in order on cards as they are, without a query. */
export function decideStatuses(
  { cards, ...locked }: Locked & { cards: readonly Card[] },
  requests: readonly StatusRequest[],
): { results: Result<StatusChanged>[]; changed: ChangeBy[] } {
  const pause = findPause(locked.integrator);
  const changed = pause ? [] : cards.flatMap((card) => endFreezes(card, locked));
  const byId = new Map(
    [...cards, ...changed.map(({ card }) => card)].map((card) => [card.id, card]),
  );
  const results = requests.map((request): Result<StatusChanged> => {
    if (pause) {
      return { refusal: pause };
    }
    const decided = decideOne(locked, byId.get(request.cardId), request);
    if (!Array.isArray(decided)) {
      return decided;
    }
    const { actor, request: origin } = request;
    changed.push(...decided.map((change) => ({ ...change, actor: actor.ref, request: origin })));
    const card = decided.at(-1)?.card ?? byId.get(request.cardId);
    if (!card) {
      return { refusal: notFound("card_not_found") };
    }
    byId.set(card.id, card);
    return { done: { card, changes: decided } };
  });
  return { results, changed };
}

/** Lifts freezes of locked cards that have ended by the integrator's clock. Whoever locks a card next does this. */
export async function liftEndedFreezes(tx: Tx, locked: Locked): Promise<Locked> {
  const { accounts, integrator } = locked;
  const now = toDeadlineTime(integrator, accounts.at);
  const due = [...accounts.byId.values()].filter(
    ({ freezeDueAt }) => freezeDueAt !== null && freezeDueAt <= now,
  );
  if (due.length === 0 || findPause(integrator)) {
    return locked;
  }
  const cards = await findCards(
    tx,
    integrator.integratorId,
    due.map(({ id }) => id),
  );
  const changes = cards.flatMap((card) => endFreezes(card, locked));
  return { integrator, accounts: await writeStatusChanges(tx, locked, changes) };
}

function endFreezes(card: Card, { accounts, integrator }: Locked): ChangeBy[] {
  const request = { id: newId(), address: null, agent: null };
  return liftEnded(card, integrator, accounts.at).map((ended) => ({
    ...ended,
    actor: EXPIRY,
    request,
  }));
}

type Refusal = Extract<Result<never>, { refusal: DomainError }>;

/** What a request changes, in order, or why it is refused. */
function decideOne(
  locked: Locked,
  card: Card | undefined,
  request: StatusRequest,
): Refusal | Change[] {
  const account = findCardAccount(locked.accounts, request.cardId);
  if (!account || !card) {
    return { refusal: notFound("card_not_found") };
  }
  const disabledReason = RULES[request.to]({ ...account, status: card.status });
  if (disabledReason) {
    return { refusal: new DomainError(disabledReason.code, disabledReason.detail) };
  }
  if (request.statusVersion !== null && request.statusVersion !== card.statusVersion) {
    return { refusal: toStatusChanged(card) };
  }
  if (request.to === "closed") {
    return [toClosed(card, request, locked.accounts.at)];
  }
  if (request.to === "undone") {
    return undoLevel(locked, card, request);
  }
  return request.to === "frozen" ? freeze(locked, card, request) : lift(locked, card, request);
}

/** The status may have changed back. The version distinguishes the caller's own change from another one. */
function toStatusChanged(card: Card): DomainError {
  return new DomainError(
    "card_status_changed",
    `Since you last read this card, its status has changed: it is now ${card.status}. Nothing was changed.`,
  );
}

function toClosed(before: Card, { comment = null }: Closing, at: Date): Change {
  const card = toCardAfter(before, { ...toFreezes([]), status: "closed" }, at);
  return { before, card, level: null, reason: null, comment, dueAt: null };
}

function freeze(
  { accounts, integrator }: Locked,
  before: Card,
  request: Freezing & Caller,
): Refusal | Change[] {
  const { level, reason, comment = null, actor } = request;
  const fault = findEndFault(request, toDeadlineTime(integrator, accounts.at));
  if (fault) {
    return { refusal: fault };
  }
  const standing = findFreeze(before, level);
  const made = standing
    ? amendFreeze(standing, request, actor.ref)
    : makeFreeze(request, actor.ref, accounts.at);
  if (made === standing) {
    return [];
  }
  const missing = findMissing(made, integrator);
  if (missing) {
    return { refusal: missing };
  }
  if (standing && endsEarlier(made, standing) && !request.mayLift.includes(level)) {
    return { refusal: toNotLiftable(standing) };
  }
  const others = before.freezes.filter((other) => other !== standing);
  const card = toCardAfter(before, toFreezes([...others, made]), accounts.at);
  return [{ before, card, level, reason, comment, dueAt: null }];
}

/** The refusal of a freeze that lacks something required. */
function findMissing(
  { reason, comment }: Freeze,
  { freezeReasonRequired }: Locked["integrator"],
): DomainError | null {
  if (reason === null && freezeReasonRequired) {
    return toReasonRequired();
  }
  return reason === "other" && !comment
    ? toFault("comment", 'This field is required with the reason "other".')
    : null;
}

const DAY_MS = 24 * 60 * 60 * 1_000;

/** What is wrong with the end of a freeze; `now` is by the integrator's clock. */
function findEndFault({ until }: Freezing, now: Date): DomainError | null {
  if (!until) {
    return null;
  }
  const shown = `${now.toISOString()}, the time now.`;
  if (until <= now) {
    return toFault("until", `This field must be later than ${shown}`);
  }
  return until.getTime() - now.getTime() > FREEZE_DAYS_MAX * DAY_MS
    ? toFault("until", `This field must be at most ${FREEZE_DAYS_MAX} days later than ${shown}`)
    : null;
}

function toFault(member: "until" | "comment", sentence: string): DomainError {
  return new DomainError("validation_failed", sentence, { [member]: [sentence] });
}

function lift(
  { accounts }: Locked,
  card: Card,
  { level, mayLift, comment = null }: Lifting,
): Refusal | Change[] {
  const lifted = card.freezes.filter((each) => level === null || each.level === level);
  const other = lifted.find((each) => !mayLift.includes(each.level));
  if (other) {
    return { refusal: toNotLiftable(other) };
  }
  const lifts = lifted.toReversed().map((each) => ({ level: each.level, comment, dueAt: null }));
  return liftFreezes(card, lifts, accounts.at);
}
