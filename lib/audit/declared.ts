import { ACCOUNT_ACTIONS } from "#lib/audit/account-actions.ts";
import type { DeclaredActions } from "#lib/audit/action.ts";
import { API_KEY_ACTIONS } from "#lib/audit/api-key-actions.ts";
import { APPROVAL_ACTIONS } from "#lib/audit/approval-actions.ts";
import { CARD_ACTIONS } from "#lib/audit/card-actions.ts";
import { SANDBOX_ACTIONS } from "#lib/audit/sandbox-actions.ts";
import { STAFF_ACTIONS } from "#lib/audit/staff-actions.ts";
import { VIEW_ACTIONS } from "#lib/audit/view-actions.ts";
import { WEBHOOK_ACTIONS } from "#lib/audit/webhook-actions.ts";

/** Every action of the audit log that no event reports, in the order of the filter's menu. */
export const OWN_ACTIONS: DeclaredActions = {
  ...CARD_ACTIONS,
  ...SANDBOX_ACTIONS,
  ...ACCOUNT_ACTIONS,
  ...APPROVAL_ACTIONS,
  ...API_KEY_ACTIONS,
  ...STAFF_ACTIONS,
  ...VIEW_ACTIONS,
  ...WEBHOOK_ACTIONS,
};
