import type { StoredApproval } from "#db/schema/approval-rule.ts";
import { integrators } from "#db/schema/integrators.ts";

/** When a move needs a second person's approval, and since when the rule applies. */
export interface ApprovalRule extends StoredApproval {
  since: Date;
}

/** The columns of the rule. */
export const RULE = {
  approval: integrators.approval,
  approvalSince: integrators.approvalSince,
};

export function toRule({
  approval,
  approvalSince: since,
}: Pick<typeof integrators.$inferSelect, keyof typeof RULE>): ApprovalRule | null {
  return approval && since && { ...approval, since };
}
