import { isDeepStrictEqual } from "node:util";
import { toHeldTrust } from "#lib/approvals/second-person.ts";
import { OPERATOR } from "#lib/base/actor.ts";
import { canApprove, ROLES } from "#lib/access/roles.ts";
import type { WriteContext } from "#lib/base/context.ts";
import { DomainError } from "#lib/base/errors.ts";
import { nowOf } from "#lib/base/moment.ts";
import { countStaff } from "#lib/staff/staff-count.ts";
import { revokeLinksOfRoles } from "#lib/staff/open-links.ts";
import type { StoredApproval } from "#db/schema/approval-rule.ts";

const APPROVING = ROLES.filter(canApprove);

/**
 * Checks a change of the approval rule, by which moves need a second person. The account must be locked. Once the rule
 * is on, nobody can loosen it alone. Switching it on revokes links with which one person could act as another approver.
 * @returns the other columns of the account to change.
 * @throws DomainError `role_insufficient`, `fresh_sign_in_required`, `approvers_missing`; HeldUp.
 */
export async function changeRule(
  ctx: WriteContext,
  before: StoredApproval | null,
  after: StoredApproval | null | undefined,
) {
  if (after === undefined || isDeepStrictEqual(after, before)) {
    return {};
  }
  requireOwner(ctx);
  if (before !== null) {
    if (isLooser(before, after) && ctx.clearance === undefined) {
      throw toHeldTrust(ctx);
    }
    return after === null ? { approvalSince: null } : {};
  }
  if ((await countStaff(ctx, APPROVING)) < 2) {
    throw new DomainError(
      "approvers_missing",
      "Two people must be able to approve: owners or admins. Invite another one first.",
    );
  }
  await revokeLinksOfRoles(ctx.tx, ctx.actor.integratorId, APPROVING);
  return { approvalSince: nowOf(ctx.tx) };
}

/** @throws DomainError `role_insufficient`, also for every API key; `fresh_sign_in_required`. */
function requireOwner({ actor: { staff, ref } }: WriteContext): void {
  if (ref === OPERATOR) {
    return;
  }
  if (staff?.role !== "owner") {
    throw new DomainError("role_insufficient", "Only owners can change who must approve moves.");
  }
  if (!staff.fresh) {
    throw new DomainError(
      "fresh_sign_in_required",
      "Confirm that it is you before you change who must approve moves.",
    );
  }
}

function isLooser(before: StoredApproval, after: StoredApproval | null): boolean {
  return (
    after === null || after.threshold > before.threshold || (before.for_keys && !after.for_keys)
  );
}
