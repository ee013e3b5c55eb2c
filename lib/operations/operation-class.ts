import type { Operation } from "#lib/operations/operation.ts";

/**
 * What callers of an operation depend on, as the metrics and alerts tell it: one class that fails is a small share of all
 * requests.
 */
export const OPERATION_CLASSES = ["processor", "funds", "freeze", "write", "read"] as const;

export type OperationClass = (typeof OPERATION_CLASSES)[number];

/** The class follows from how the operation is declared. */
export function toOperationClass({
  kind,
  scope,
}: Pick<Operation, "kind" | "scope">): OperationClass {
  if (scope === "cards:freeze") {
    return "freeze";
  }
  return kind === "public" ? "write" : kind;
}
