import { isDeepStrictEqual } from "node:util";
import { notFound } from "#lib/base/errors.ts";
import type { BulkItem, BulkJob } from "#lib/bulk/bulk-job.ts";
import type { Card } from "#lib/cards/card-resource.ts";
import { findFreeze } from "#lib/cards/freezes.ts";
import type { Change } from "#lib/cards/freezes.ts";
import { toStoredFreeze } from "#lib/cards/stored-freezes.ts";
import { toOwnControls } from "#lib/cards/spending-controls.ts";
import type { Result } from "#lib/group-commit/batch.ts";
import type { ControlsChange, ReplacedFreezes } from "#db/schema/bulk.ts";

/** What an undo of an item needs. */
interface Undoable {
  /** The freezes that it replaced, and the version of the card's status afterward. */
  replaced: ReplacedFreezes | null;
  leftVersion: number | null;
  /** How it changed its card's own spending controls. */
  replacedControls: ControlsChange | null;
}

export const NOTHING_TO_UNDO: Undoable = {
  replaced: null,
  leftVersion: null,
  replacedControls: null,
};

/** What an item did to its card. The amount is in minor units. */
export interface Deed extends Undoable {
  isChanged: boolean;
  amount: number;
}

/** The result of each item, in order. */
export type Deeds = Result<Deed>[];

/** Items of a job to do or to decide. */
export interface Work {
  job: BulkJob;
  items: readonly BulkItem[];
  /** The cards as earlier items have left them. */
  seen: Map<string, Card>;
}

/** The card after an item, and the item's changes of its freezes. */
export interface After {
  card: Card | null | undefined;
  changes?: readonly Change[];
}

/** What an item changed on its card, compared with the card before it. */
export function toDeed({ job, seen }: Work, { card, changes = [] }: After): Result<Deed> {
  const before = card && seen.get(card.id);
  if (!card || !before) {
    return { refusal: notFound("card_not_found") };
  }
  seen.set(card.id, card);
  const amount = Math.abs(card.balance - before.balance);
  const replacedControls = findControlsChange(before, card);
  const changed = changes.length > 0 && {
    replaced: toReplaced(changes),
    leftVersion: card.statusVersion,
  };
  const undoable = { ...NOTHING_TO_UNDO, replacedControls, ...changed };
  // Only the status shows that a card was closed.
  const isClosed = card.status !== before.status;
  return {
    done: {
      isChanged: isClosed || amount > 0 || !isDeepStrictEqual(undoable, NOTHING_TO_UNDO),
      amount,
      ...(job.isCheck ? NOTHING_TO_UNDO : undoable),
    },
  };
}

function findControlsChange(before: Card, after: Card): ControlsChange | null {
  const change = { from: toOwnControls(before), to: toOwnControls(after) };
  return isDeepStrictEqual(change.from, change.to) ? null : change;
}

/** An item changes each level at most once. */
function toReplaced(changes: readonly Change[]): ReplacedFreezes {
  return Object.fromEntries(
    changes.flatMap(({ before, level }) => {
      const standing = findFreeze(before, level);
      return level === null ? [] : [[level, standing ? toStoredFreeze(standing) : null]];
    }),
  );
}
