import { isDeepStrictEqual } from "node:util";
import { notFound } from "#lib/base/errors.ts";
import type { BulkItem, BulkJob } from "#lib/bulk/bulk-job.ts";
import type { Card } from "#lib/cards/card-resource.ts";
import { findFreeze } from "#lib/cards/freezes.ts";
import type { Change } from "#lib/cards/freezes.ts";
import { toStoredFreeze } from "#lib/cards/stored-freezes.ts";
import { toOwnControls } from "#lib/cards/spending-controls.ts";
import type { Result } from "#lib/group-commit/batch.ts";
import type { ReplacedFreezes } from "#db/schema/bulk.ts";

/** What an item did to its card. The amount is in minor units. */
export interface Deed {
  isChanged: boolean;
  amount: number;
  /** What an undo needs: the freezes that the item replaced, and the version of the card's status that it left. */
  replaced: ReplacedFreezes | null;
  leftVersion: number | null;
}

/** What becomes of each item, in order. */
export type Deeds = Result<Deed>[];

/** Items of a job to do or to decide. */
export interface Work {
  job: BulkJob;
  items: readonly BulkItem[];
  /** The cards as the items before have left them. */
  seen: Map<string, Card>;
}

/** The card after an item, and what the item changed of its freezes. */
export interface After {
  card: Card | null | undefined;
  changes?: readonly Change[];
}

/** What changed on a card since the item before. */
export function toDeed({ job, seen }: Work, { card, changes = [] }: After): Result<Deed> {
  const before = card && seen.get(card.id);
  if (!card || !before) {
    return { refusal: notFound("card_not_found") };
  }
  seen.set(card.id, card);
  const amount = Math.abs(card.balance - before.balance);
  const isUndoable = !job.isCheck && changes.length > 0;
  return {
    done: {
      isChanged: amount > 0 || changes.length > 0 || isOther(card, before),
      amount,
      replaced: isUndoable ? toReplaced(changes) : null,
      leftVersion: isUndoable ? card.statusVersion : null,
    },
  };
}

/** Whether a card's status or controls are others, which have no amount and no freeze to tell that by. */
function isOther(card: Card, before: Card): boolean {
  return (
    card.status !== before.status || !isDeepStrictEqual(toOwnControls(card), toOwnControls(before))
  );
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
