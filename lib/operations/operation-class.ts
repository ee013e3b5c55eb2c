import type { Operation } from "#lib/operations/operation.ts";

/**
 * The class by which metrics and alerts group an operation. Without classes, the failures of one class would be lost
 * among all requests.
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
