import type { BulkOperation } from "#lib/bulk/bulk-job.ts";

/** The operations that can be undone, and what undoes each. An undo is undone by the operation itself. */
export const INVERSES = {
  freeze: "unfreeze",
  unfreeze: "freeze",
  set_spending_controls: "set_spending_controls",
} as const satisfies Partial<Record<BulkOperation, BulkOperation>>;

export type UndoableOperation = keyof typeof INVERSES;

export function isUndoable(operation: BulkOperation): operation is UndoableOperation {
  return Object.hasOwn(INVERSES, operation);
}
