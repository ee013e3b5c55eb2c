import { and, eq, gt, isNull, or } from "drizzle-orm";
import { toGranted } from "#lib/base/actor.ts";
import type { Member } from "#lib/base/actor.ts";
import { DomainError } from "#lib/base/errors.ts";
import { ROLE_SCOPES } from "#lib/access/roles.ts";
import type { Approval } from "#lib/approvals/approvals.ts";
import { NOW } from "#db/schema/columns.ts";
import { apiKeys } from "#db/schema/integrators.ts";
import { staff } from "#db/schema/staff.ts";
import type { Tx } from "#db/transaction.ts";

/**
 * The requester of an approval, with their current rights.
 * @throws DomainError `requester_insufficient` for a person who was removed, and for a key that no longer works.
 */
export async function toRequester(tx: Tx, approval: Approval): Promise<Member> {
  return approval.requestedBy.type === "staff" ? readPerson(tx, approval) : readKey(tx, approval);
}

async function readPerson(
  tx: Tx,
  { integratorId, requesterId, requestedBy: ref }: Approval,
): Promise<Member> {
  const [person] = await tx
    .select({ id: staff.id, role: staff.role })
    .from(staff)
    .where(
      and(eq(staff.integratorId, integratorId), eq(staff.id, requesterId), isNull(staff.removedAt)),
    );
  if (!person) {
    throw toInsufficient(`${ref.name} is no longer on the staff.`);
  }
  return {
    kind: "member",
    integratorId,
    ref,
    scopes: new Set(ROLE_SCOPES[person.role]),
    // The requester's sign-in was recent when they asked. An approved request belongs to no session.
    staff: {
      id: person.id,
      sessionId: "",
      role: person.role,
      fresh: true,
      hasSecondFactor: true,
      mustEnroll: false,
    },
  };
}

async function readKey(tx: Tx, { integratorId, requestedBy: ref }: Approval): Promise<Member> {
  const [key] = await tx
    .select({ scopes: apiKeys.scopes })
    .from(apiKeys)
    .where(
      and(
        eq(apiKeys.integratorId, integratorId),
        eq(apiKeys.id, ref.id ?? ""),
        isNull(apiKeys.revokedAt),
        or(isNull(apiKeys.expiresAt), gt(apiKeys.expiresAt, NOW)),
      ),
    );
  if (!key) {
    throw toInsufficient(`The API key ${ref.name}, which asked for this, no longer works.`);
  }
  return { kind: "member", integratorId, ref, scopes: toGranted(key.scopes) };
}

function toInsufficient(detail: string): DomainError {
  return new DomainError("requester_insufficient", `${detail} Reject this request.`);
}
