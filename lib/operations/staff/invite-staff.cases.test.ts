import { sendAsAdmin } from "#test/scene/refusal-cases.ts";
import type { Cases } from "#test/scene/refusal-cases.ts";
import { inviteStaff } from "#lib/operations/staff/invite-staff.ts";

export const operation = inviteStaff;

export const cases: Cases<typeof inviteStaff> = {
  role_insufficient: (scene) => sendAsAdmin(scene, "inviteStaff", { role: "owner" }),
};
