import type { WriteContext } from "#lib/base/context.ts";
import { isDomainError } from "#lib/base/errors.ts";
import type { BulkItem, BulkJob } from "#lib/bulk/bulk-job.ts";
import { toDeed } from "#lib/bulk/internal/deeds.ts";
import type { Deeds, Work } from "#lib/bulk/internal/deeds.ts";
import {
  toCaller,
  toControlsRequest,
  toFundsRequests,
  toStatusRequests,
} from "#lib/bulk/internal/item-requests.ts";
import { lockCards } from "#lib/cards/card-lock.ts";
import { findCards } from "#lib/cards/card-reads.ts";
import type { Card } from "#lib/cards/card-resource.ts";
import { changeStatuses } from "#lib/cards/card-status.ts";
import { updateSpendingControls } from "#lib/cards/spending-update.ts";
import { closeCard } from "#lib/funds/close-card.ts";
import { moveFunds } from "#lib/funds/funds.ts";
import { performAll } from "#lib/group-commit/batch.ts";
import { inSavepoint } from "#db/transaction.ts";
import type { Tx } from "#db/transaction.ts";

/**
 * Performs items in one transaction. A refusal does not affect the other items, but in an all-or-nothing job it undoes
 * them.
 */
export async function doItems(tx: Tx, job: BulkJob, items: readonly BulkItem[]): Promise<Deeds> {
  const ids = items.map(({ cardId }) => cardId);
  // Locked first, so that the state of each card before its item stays true.
  await lockCards(tx, job.integratorId, ids);
  const cards = await findCards(tx, job.integratorId, ids);
  const work = { job, items, seen: new Map(cards.map((card) => [card.id, card])) };
  return job.mode === "each" ? perform(tx, work) : performAllOrNothing(tx, work);
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
  const { job, items } = work;
  const { operation } = job;
  if (operation === "close") {
    return oneByOne(tx, work, (ctx, { cardId }) =>
      closeCard(ctx, cardId, { comment: job.terms.comment }),
    );
  }
  if (operation === "set_spending_controls") {
    return oneByOne(tx, work, (ctx, item) => {
      const { controls, ...seen } = toControlsRequest(job, item);
      return updateSpendingControls({ ...ctx, ...seen }, item.cardId, controls);
    });
  }
  if (operation === "credit" || operation === "debit") {
    const moved = await performAll(tx, moveFunds, toFundsRequests(job, operation, items));
    return moved.map((result) => ("refusal" in result ? result : toDeed(work, result.done)));
  }
  const requests = await toStatusRequests(tx, job, items);
  const changed = await performAll(tx, changeStatuses, requests);
  return changed.map((result) => ("refusal" in result ? result : toDeed(work, result.done)));
}

/** Performs each item as a separate change. */
async function oneByOne(
  tx: Tx,
  work: Work,
  change: (ctx: WriteContext, item: BulkItem) => Promise<Card>,
): Promise<Deeds> {
  const deeds: Deeds = [];
  for (const item of work.items) {
    try {
      const card = await inSavepoint(tx, (inner) =>
        change({ tx: inner, ...toCaller(work.job) }, item),
      );
      deeds.push(toDeed(work, { card }));
    } catch (error) {
      if (!isDomainError(error)) {
        throw error;
      }
      deeds.push({ refusal: error });
    }
  }
  return deeds;
}
