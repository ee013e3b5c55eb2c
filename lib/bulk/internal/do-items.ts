import type { Caller } from "#lib/base/context.ts";
import { DomainError, isDomainError, notFound } from "#lib/base/errors.ts";
import type { BulkItem, BulkJob } from "#lib/bulk/bulk-job.ts";
import { lockCards } from "#lib/cards/card-lock.ts";
import { findCards } from "#lib/cards/card-reads.ts";
import type { Card } from "#lib/cards/card-resource.ts";
import { cardCan } from "#lib/cards/card-state.ts";
import { changeCardStatus } from "#lib/cards/card-status.ts";
import type { StatusChange } from "#lib/cards/card-status.ts";
import { findFreeze } from "#lib/cards/freezes.ts";
import { closeCard } from "#lib/funds/close-card.ts";
import { moveFunds } from "#lib/funds/funds.ts";
import type { FundsMoved, FundsRequest } from "#lib/funds/funds.ts";
import type { Decide, Result } from "#lib/group-commit/batch.ts";
import { inSavepoint } from "#db/transaction.ts";
import type { Tx } from "#db/transaction.ts";

/** What an item did to its card. The amount is in minor units. */
interface Deed {
  isChanged: boolean;
  amount: number;
  /** The version of the card's status, if the item made or lifted a freeze. An amended freeze is not the item's to undo. */
  leftVersion: number | null;
  /** What the float then has, if the item moved funds. */
  floatLeft?: number;
}

/** What becomes of each item, in order. */
export type Deeds = Result<Deed>[];

/**
 * Decides items in one transaction, and does them unless the job only checks. A refusal does not affect the other items; of
 * a job that does all or nothing, it undoes them.
 */
export async function doItems(tx: Tx, job: BulkJob, items: readonly BulkItem[]): Promise<Deeds> {
  const ids = items.map(({ cardId }) => cardId);
  // Locked first, so that what each card is like before its item stays true.
  await lockCards(tx, job.integratorId, ids);
  const cards = await findCards(tx, job.integratorId, ids);
  const work = { job, items, seen: new Map(cards.map((card) => [card.id, card])) };
  if (job.isCheck) {
    return decide(tx, work);
  }
  return job.mode === "each" ? perform(tx, work) : performAllOrNothing(tx, work);
}

interface Work {
  job: BulkJob;
  items: readonly BulkItem[];
  /** The cards as the items before have left them. */
  seen: Map<string, Card>;
}

class Refused extends Error {
  readonly deeds: Deeds;

  constructor(deeds: Deeds) {
    super("An item of a job that does all or nothing was refused.");
    this.deeds = deeds;
  }
}

async function performAllOrNothing(tx: Tx, work: Work): Promise<Deeds> {
  try {
    return await inSavepoint(tx, async (inner) => {
      const deeds = await perform(inner, work);
      if (deeds.some((deed) => "refusal" in deed)) {
        throw new Refused(deeds);
      }
      return deeds;
    });
  } catch (error) {
    if (error instanceof Refused) {
      return error.deeds;
    }
    throw error;
  }
}

async function perform(tx: Tx, work: Work): Promise<Deeds> {
  if (work.job.operation === "close") {
    return close(tx, work);
  }
  const { deeds, write } = await decideShared(tx, work);
  await write();
  return deeds;
}

/** As `perform`, without doing anything. */
async function decide(tx: Tx, work: Work): Promise<Deeds> {
  const { operation, amount } = work.job;
  if (operation === "close") {
    return work.items.map((item) => decideClose(work, item));
  }
  const { deeds } = await decideShared(tx, work);
  return operation === "credit" ? boundByFloat(deeds, amount) : deeds;
}

function decideClose(work: Work, { cardId }: BulkItem): Result<Deed> {
  const card = work.seen.get(cardId);
  if (!card) {
    return { refusal: notFound("card_not_found") };
  }
  const reason = cardCan.close(card);
  return reason
    ? { refusal: new DomainError(reason.code, reason.detail) }
    : toDeed(work, { card: { ...card, status: "closed", balance: card.held } });
}

/** What the batches before have been promised is still there: a check moves nothing. */
function boundByFloat(deeds: Deeds, promised: number): Deeds {
  let left: number | undefined;
  return deeds.map((deed) => {
    if ("refusal" in deed) {
      return deed;
    }
    const { amount, floatLeft = 0 } = deed.done;
    left ??= floatLeft + amount - promised;
    if (amount > left) {
      return { refusal: new DomainError("insufficient_float", BEYOND_FLOAT) };
    }
    left -= amount;
    return deed;
  });
}

const BEYOND_FLOAT = "The float does not have enough for this card and those before it.";

async function decideShared(tx: Tx, work: Work) {
  const { operation } = work.job;
  return operation === "credit" || operation === "debit"
    ? decideBy(tx, work, {
        decide: moveFunds,
        toRequest: (item) => toFundsRequest(operation, item),
        toAfter: ({ card, float }: FundsMoved) => ({ card, floatLeft: float.available }),
      })
    : decideBy(tx, work, {
        decide: changeCardStatus,
        toRequest: (item) => toStatusChange(work.job, item),
        toAfter: (card: Card) => ({ card }),
      });
}

async function decideBy<Asked, Done>(
  tx: Tx,
  work: Work,
  way: {
    decide: Decide<Asked & Caller, Done>;
    toRequest: (item: BulkItem) => Asked;
    toAfter: (done: Done) => After;
  },
): Promise<{ deeds: Deeds; write: () => Promise<void> }> {
  const caller = toCaller(work.job);
  const { results, write } = await way.decide(
    tx,
    work.items.map((item) => ({ ...way.toRequest(item), ...caller })),
  );
  const deeds = results.map((result) =>
    "refusal" in result ? result : toDeed(work, way.toAfter(result.done)),
  );
  return { deeds, write };
}

async function close(tx: Tx, work: Work): Promise<Deeds> {
  const { job } = work;
  const deeds: Deeds = [];
  for (const { cardId } of work.items) {
    try {
      const closed = await inSavepoint(tx, (inner) =>
        closeCard({ tx: inner, ...toCaller(job) }, cardId, { comment: job.terms.comment }),
      );
      deeds.push(toDeed(work, { card: closed }));
    } catch (error) {
      if (!isDomainError(error)) {
        throw error;
      }
      deeds.push({ refusal: error });
    }
  }
  return deeds;
}

/** The card after an item, and what the float then has, if the item moved funds. */
interface After extends Pick<Deed, "floatLeft"> {
  card: Card | null;
}

/** What changed on a card since the item before. */
function toDeed({ job, seen }: Work, { card, ...float }: After): Result<Deed> {
  const before = card && seen.get(card.id);
  if (!card || !before) {
    return { refusal: notFound("card_not_found") };
  }
  seen.set(card.id, card);
  const amount = Math.abs(card.balance - before.balance);
  const isSame = card.statusVersion === before.statusVersion && card.status === before.status;
  const isUndoable = !job.isCheck && !isSame && isMadeOrLifted(job, before);
  const leftVersion = isUndoable ? card.statusVersion : null;
  return { done: { isChanged: amount > 0 || !isSame, amount, leftVersion, ...float } };
}

function isMadeOrLifted({ operation, terms }: BulkJob, before: Card): boolean {
  return operation === "unfreeze" || (operation === "freeze" && !findFreeze(before, terms.level));
}

function toCaller({ integratorId, actor, requestId, address, agent }: BulkJob): Caller {
  return {
    actor: { integratorId, ref: actor },
    request: { id: requestId, address, agent },
    idempotencyKey: null,
  };
}

function toFundsRequest(
  kind: "credit" | "debit",
  { cardId, amount, narrative }: BulkItem,
): Omit<FundsRequest, keyof Caller> {
  return { kind, cardId, narrative, amount: amount ?? "all" };
}

function toStatusChange(
  { operation, terms }: BulkJob,
  { cardId, seenVersion: statusVersion }: BulkItem,
): StatusChange {
  const { reason, comment, level, until, may_lift: mayLift } = terms;
  const asked = { cardId, comment: comment ?? undefined, mayLift, statusVersion };
  return operation === "freeze" && level !== null
    ? {
        ...asked,
        to: "frozen",
        reason,
        level,
        ...(until !== null && { until: new Date(until) }),
      }
    : { ...asked, to: "active", level };
}
