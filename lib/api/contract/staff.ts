import { z } from "zod";
import { ROLES } from "#lib/access/roles.ts";
import { actorSchema } from "#lib/api/contract/internal/actor.ts";
import { id, time } from "#lib/api/contract/internal/answer-members.ts";
import { logSafe } from "#lib/base/log-safe.ts";

/** What a one-time link is for, both in the list of links and on the link's page. */
export const linkKind = logSafe(z.enum(["invitation", "password_reset"])).describe(
  "What the link is for: to join the account's staff, or to set a new password.",
);

export const invitedRole = logSafe(z.enum(ROLES))
  .nullable()
  .describe("The role of the invited person; null for a password reset.");

export const linkExpiry = time.describe(
  "When the link stops working: 7 days after it was created for an invitation, 24 hours for a password reset.",
);

export const staffSchema = z
  .strictObject({
    id,
    email: z.string(),
    first_name: z.string(),
    last_name: z.string(),
    role: logSafe(z.enum(ROLES)),
    second_factor: logSafe(z.boolean()).describe("Whether their two-factor authentication is on."),
    signed_in_at: time.nullable().describe("When they last signed in; null if they never have."),
    created_at: time,
  })
  .meta({ id: "Staff" });

export const linkSchema = z
  .strictObject({
    id,
    kind: linkKind,
    email: z.string(),
    role: invitedRole,
    created_by: actorSchema.describe("Who created the link."),
    created_at: time,
    expires_at: linkExpiry,
  })
  .meta({ id: "StaffLink" });
