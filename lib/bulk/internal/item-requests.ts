import { isDeepStrictEqual } from "node:util";
import type { Caller } from "#lib/base/context.ts";
import { DomainError } from "#lib/base/errors.ts";
import type { BulkItem, BulkJob } from "#lib/bulk/bulk-job.ts";
import type { Card } from "#lib/cards/card-resource.ts";
import { findChangedLevels } from "#lib/cards/changed-levels.ts";
import type { StatusChange, StatusRequest } from "#lib/cards/card-status.ts";
import { toOwnControls } from "#lib/cards/spending-controls.ts";
import type { SpendingControls } from "#lib/cards/spending-controls.ts";
import { fromStoredFreeze } from "#lib/cards/stored-freezes.ts";
import type { FundsRequest } from "#lib/funds/funds.ts";
import type { ControlsChange } from "#db/schema/bulk.ts";
import type { Tx } from "#db/transaction.ts";

/**
 * The requester of a job, as the caller of each of its items. What the items move was counted or approved with the job.
 */
export function toCaller({ integratorId, actor, requestId, address, agent }: BulkJob): Caller {
  return {
    actor: { integratorId, ref: actor },
    request: { id: requestId, address, agent },
    idempotencyKey: null,
    clearance: "counted",
  };
}

/** Items of a credit or a debit as single requests. */
export function toFundsRequests(
  job: BulkJob,
  kind: "credit" | "debit",
  items: readonly BulkItem[],
): FundsRequest[] {
  const caller = toCaller(job);
  return items.map(({ cardId, amount, narrative }) => ({
    ...caller,
    kind,
    cardId,
    narrative,
    amount: amount ?? "all",
  }));
}

/**
 * The spending controls that an item gives its card. For an inverse, `requireSeen` throws DomainError
 * `precondition_failed` unless the card has the controls that the earlier job gave it, or already those to restore.
 */
export function toControlsRequest(
  { terms }: BulkJob,
  { restoresControls: inverse }: BulkItem,
): { controls: SpendingControls | null; requireSeen?: (card: Card) => void } {
  return inverse
    ? { controls: inverse.to, requireSeen: (card) => requireUnchanged(card, inverse) }
    : { controls: terms.spending_controls };
}

function requireUnchanged(card: Card, { from, to }: ControlsChange): void {
  const own = toOwnControls(card);
  if (!isDeepStrictEqual(own, from) && !isDeepStrictEqual(own, to)) {
    throw new DomainError(
      "precondition_failed",
      "Since the job that this one undoes, this card's spending controls have changed. Nothing was changed.",
    );
  }
}

/** Items of a freeze, an unfreeze, or an undo as single requests. Their cards must be locked, except in a check. */
export async function toStatusRequests(
  tx: Tx,
  job: BulkJob,
  items: readonly BulkItem[],
): Promise<StatusRequest[]> {
  const caller = toCaller(job);
  const changed = await findChanged(tx, job, items);
  return items.map((item) => ({
    ...caller,
    ...toStatusChange(job, item, changed.has(item.position)),
  }));
}

/** The positions of inverses whose levels have changed since the earlier job. */
async function findChanged(
  tx: Tx,
  { integratorId }: BulkJob,
  items: readonly BulkItem[],
): Promise<ReadonlySet<number>> {
  const inverses = items.flatMap(({ position, cardId, level, seenVersion: version }) =>
    level && version !== null ? { position, cardId, level, version } : [],
  );
  if (inverses.length === 0) {
    return new Set();
  }
  const changed = await findChangedLevels(tx, integratorId, inverses);
  return new Set(inverses.flatMap(({ position }, at) => (changed[at] ? position : [])));
}

function toStatusChange(
  { operation, terms }: BulkJob,
  { cardId, seenVersion: statusVersion, level: undone, restores }: BulkItem,
  isChangedSince: boolean,
): StatusChange {
  const { reason, comment, level, until, may_lift: mayLift, may_set: maySet } = terms;
  const asked = { cardId, comment: comment ?? undefined, mayLift, statusVersion };
  if (undone) {
    const freeze = restores && fromStoredFreeze(undone, restores);
    const version = { statusVersion: null };
    return { ...asked, ...version, to: "undone", level: undone, freeze, isChangedSince, maySet };
  }
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
