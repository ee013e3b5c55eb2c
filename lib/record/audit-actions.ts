import { DomainError } from "#lib/base/errors.ts";
import { EVENT_ACTIONS } from "#lib/record/declared-events.ts";

/** Every action of the audit log, and what it is called in a menu or on a timeline. */
export const AUDIT_ACTIONS = {
  ...EVENT_ACTIONS,
  "card.fact-matched": "Card network report matched",
  "card.freeze-lifted": "Freeze lifted",
  "card.noted": "Note added",
  "card.transaction-simulated": "Transaction simulated",
  "sandbox.clock-advanced": "Sandbox clock advanced",
  "sandbox.clock-reset": "Sandbox clock reset",
  "account.registered": "Account registered",
  "integrator.vouched": "Staff emails verified",
  "account.second_factor_required": "Two-factor requirement changed",
  "api_key.created": "API key created",
  "api_key.revoked": "API key revoked",
  "staff.invited": "Staff invited",
  "staff.invitation_revoked": "Invitation revoked",
  "staff.joined": "Invitation accepted",
  "staff.role_changed": "Role changed",
  "staff.removed": "Staff removed",
  "staff.sessions_revoked": "Sessions ended",
  "staff.session_revoked": "Session ended",
  "staff.password_reset_made": "Password reset link created",
  "staff.password_reset": "Password reset",
  "staff.password_changed": "Password changed",
  "staff.signed_in": "Signed in",
  "staff.sign_in_refused": "Sign-in refused",
  "staff.second_factor_begun": "Two-factor setup started",
  "staff.second_factor_enabled": "Two-factor authentication enabled",
  "staff.second_factor_disabled": "Two-factor authentication disabled",
  "view.created": "View saved",
  "view.updated": "View changed",
  "view.deleted": "View deleted",
  "webhooks.enabled": "Webhooks enabled",
  "webhooks.switched-off": "Webhooks disabled",
  "webhooks.endpoint-created": "Webhook endpoint created",
  "webhooks.endpoint-updated": "Webhook endpoint changed",
  "webhooks.endpoint-deleted": "Webhook endpoint deleted",
  "webhooks.secret-rotated": "Signing secret rotated",
  "webhooks.secret-revealed": "Signing secret revealed",
  "webhooks.resent": "Webhook resent",
  "webhooks.recovered": "Missed webhooks resent",
  "webhooks.inbox-created": "Test inbox created",
} as const;

export type AuditAction = keyof typeof AUDIT_ACTIONS;

/** A refused attempt of staff, named after the operation that they attempted. */
export type RefusedAction = `${string}.refused`;

/** Selects every refused attempt, sign-ins included. */
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
