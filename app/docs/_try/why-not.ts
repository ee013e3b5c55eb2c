import { roleDisabledReason } from "#lib/access/roles.ts";
import type { Operation } from "#lib/operations/operation.ts";
import type { StaffSession } from "#lib/staff/staff-sessions.ts";

/** Why a signed-in person cannot send an operation from its page; null if they can. */
export function whyNot(operation: Operation, { environment, actor }: StaffSession): string | null {
  if (environment === "live") {
    return "This works in the sandbox only: your account is live. Use curl with an API key.";
  }
  if (actor.staff.mustEnroll) {
    return "Your account requires two-factor authentication. Set it up first.";
  }
  if (operation.kind === "processor") {
    return "Only the card network's key can call this operation. Use curl with that key.";
  }
  if (operation.secret) {
    return "This request or its response contains a secret, so it is not sent from here. Use the dashboard.";
  }
  if (operation.kind === "public" && operation.method !== "GET") {
    return "This operation is for people who have no account yet. Use curl.";
  }
  return operation.scope && roleDisabledReason(actor.staff.role, operation.scope);
}
