import type { StaffLink } from "#lib/staff/staff-links.ts";
import type { StaffMember } from "#lib/staff/staff.ts";

export function toStaffResource(member: StaffMember) {
  return {
    id: member.id,
    email: member.email,
    first_name: member.firstName,
    last_name: member.lastName,
    role: member.role,
    second_factor: member.hasSecondFactor,
    signed_in_at: member.signedInAt?.toISOString() ?? null,
    created_at: member.createdAt.toISOString(),
  };
}

export function toLinkResource(link: StaffLink) {
  return {
    id: link.id,
    kind: link.kind,
    email: link.email,
    role: link.role,
    created_by: link.createdBy,
    created_at: link.createdAt.toISOString(),
    expires_at: link.expiresAt.toISOString(),
  };
}
