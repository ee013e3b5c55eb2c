import { DomainError } from "#lib/base/errors.ts";
import { AUDIT_ACTIONS } from "#lib/record/declared-actions.ts";

/** An action that the audit log records. */
export type AuditAction = keyof typeof AUDIT_ACTIONS;

/** What an action is done to. */
export const AUDIT_TARGETS = [
  "card",
  "float",
  "account",
  "cardholder",
  "api_key",
  "staff",
  "view",
] as const;

export type AuditTarget = (typeof AUDIT_TARGETS)[number];

/** An action, or an operation that a staff member was refused: `<operation id>.refused`. */
export type RecordedAction = AuditAction | `${string}.refused`;

/** The filter for all refused attempts, sign-ins included. */
export const REFUSED = "refused";

/** A search of the audit log. */
export interface AuditSearch {
  /** A whole id, or words in any order. */
  text: string;
  /** The titles by which actions are found. */
  titles: readonly { id: string; name: string }[];
}

/** Whether the audit log has such an action. */
export function isAuditAction(action: string): action is AuditAction {
  return Object.hasOwn(AUDIT_ACTIONS, action);
}

/** The id of the operation that was refused; null when the action is not a refused attempt. */
export function toRefusedOperation(action: string): string | null {
  return /^(?<operation>[A-Za-z]+)\.refused$/u.exec(action)?.groups?.["operation"] ?? null;
}

/** @throws DomainError `validation_failed` for an action that the audit log does not have. */
export function requireAuditFilter(action: string | undefined): string | undefined {
  if (
    action === undefined ||
    action === REFUSED ||
    isAuditAction(action) ||
    toRefusedOperation(action) !== null
  ) {
    return action;
  }
  throw new DomainError("validation_failed", "The audit log has no such action.", {
    action: [
      `This field must be ${REFUSED}, an operation's id followed by .${REFUSED}, or one of ${Object.keys(AUDIT_ACTIONS).join(", ")}.`,
    ],
  });
}
