import { toCount } from "./bulk-card.ts";
import { capitalize } from "#lib/base/capitalize.ts";
import { countEnds } from "#lib/bulk/bulk-counts.ts";
import type { BulkJob, BulkOperation, EndState, ItemState } from "#lib/bulk/bulk-job.ts";

/** Each operation as an instruction, and the resulting state of a card. */
const OPERATIONS = {
  freeze: { verb: "Freeze", done: "Frozen" },
  unfreeze: { verb: "Unfreeze", done: "Unfrozen" },
  close: { verb: "Close", done: "Closed" },
  credit: { verb: "Credit", done: "Credited" },
  set_spending_controls: { verb: "Set spending controls of", done: "Set" },
  debit: { verb: "Debit", done: "Debited" },
} as const satisfies Record<BulkOperation, object>;

/** "Freeze 25 cards", "Check: freeze 25 cards", or "Undo: 25 freezes". */
export function toJobTitle(job: BulkJob): string {
  const { operation, undoes, isCheck, total } = job;
  const { verb } = OPERATIONS[operation];
  const title = undoes === null ? `${verb} ${toCount(total)}` : `Undo: ${toUndoneCount(job)}`;
  return isCheck ? `Check: ${title.charAt(0).toLowerCase()}${title.slice(1)}` : title;
}

/** The outcome for a card, in a word. */
export function toStateWord({ operation, undoes, isCheck }: BulkJob, state: ItemState): string {
  if (state === "done" && isCheck) {
    return "Passed";
  }
  if (state === "done") {
    return undoes === null ? OPERATIONS[operation].done : "Undone";
  }
  return capitalize(state);
}

/** The progress of a job: "Frozen 20 of 25 · 5 refused". */
export function toProgressText(job: BulkJob): string {
  const done = `${toStateWord(job, "done")} ${toNumber(job.done)} of ${toNumber(job.total)}`;
  const others = toCountWords(job).filter(({ state }) => state !== "done");
  return [done, ...others.map(({ count, word }) => `${count} ${word.toLowerCase()}`)].join(" · ");
}

/** The outcomes that occurred in a job, each with its number of cards. */
export function toCountWords(job: BulkJob): { state: EndState; word: string; count: string }[] {
  return countEnds(job).map(({ state, count }) => ({
    state,
    word: toStateWord(job, state),
    count: toNumber(count),
  }));
}

function toUndoneCount({ operation, total }: BulkJob): string {
  if (operation === "set_spending_controls") {
    return `spending controls of ${toCount(total)}`;
  }
  return total === 1 ? "1 freeze" : `${toNumber(total)} freezes`;
}

function toNumber(count: number): string {
  return count.toLocaleString("en-US");
}
