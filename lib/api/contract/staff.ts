import { z } from "zod";
import { email, text } from "#lib/api/contract/fields.ts";
import { operation } from "#lib/api/contract/operation.ts";
import { linkSchema, staffSchema } from "#lib/api/contract/staff-resources.ts";
import { logSafe } from "#lib/base/log-safe.ts";
import { passwordSchema } from "#lib/staff/password-rules.ts";
import { ROLES } from "#lib/access/roles.ts";

/** A password typed to authenticate: it may have been chosen under any earlier rule. */
const typedPassword = z
  .string()
  .min(1, "This field must not be empty.")
  .max(255, "This field must be at most 255 characters long.");

const role = logSafe(z.enum(ROLES, `This field must be one of ${ROLES.join(", ")}.`));
/** Codes of using a one-time link, which changes something without a known caller. */
const LINK_ERRORS = [
  "link_not_found",
  "rate_limited",
  "overloaded",
  "database_unavailable",
  "outcome_unknown",
] as const;
const token = z.string().min(1, "This field must not be empty.").max(255);

export const listStaff = operation({
  id: "listStaff",
  method: "GET",
  path: "/staff",
  summary: "List staff members and pending invitations",
  kind: "read",
  scope: "staff:manage",
  staffOnly: true,
  answer: z.strictObject({ data: z.array(staffSchema), invitations: z.array(linkSchema) }),
});

export const inviteStaff = operation({
  id: "inviteStaff",
  method: "POST",
  path: "/staff/invitations",
  summary: "Invite a staff member by a one-time link, which is shown only once",
  kind: "write",
  scope: "staff:manage",
  staffOnly: true,
  fresh: true,
  secret: true,
  body: z.strictObject({ email, role }),
  status: 201,
  answer: z.strictObject({ data: linkSchema, link: z.string() }),
  errors: ["role_insufficient", "email_already_registered"],
});

export const revokeInvitation = operation({
  id: "revokeInvitation",
  method: "DELETE",
  path: "/staff/invitations/{id}",
  summary: "Revoke an invitation",
  kind: "write",
  scope: "staff:manage",
  staffOnly: true,
  fresh: true,
  notFound: "link_not_found",
  answer: z.strictObject({ data: linkSchema }),
});

export const changeRole = operation({
  id: "changeRole",
  method: "PATCH",
  path: "/staff/{id}",
  summary: "Change a staff member's role, which signs them out",
  kind: "write",
  scope: "staff:manage",
  staffOnly: true,
  fresh: true,
  notFound: "staff_not_found",
  body: z.strictObject({ role }),
  answer: z.strictObject({ data: staffSchema }),
  errors: ["role_insufficient", "staff_last_owner"],
});

export const removeStaff = operation({
  id: "removeStaff",
  method: "DELETE",
  path: "/staff/{id}",
  summary: "Remove a staff member, who is signed out immediately",
  kind: "write",
  scope: "staff:manage",
  staffOnly: true,
  fresh: true,
  notFound: "staff_not_found",
  answer: z.strictObject({ data: staffSchema }),
  errors: ["role_insufficient", "staff_last_owner"],
});

export const revokeSessions = operation({
  id: "revokeSessions",
  method: "POST",
  path: "/staff/{id}/revoke-sessions",
  summary: "Sign a staff member out everywhere",
  kind: "write",
  scope: "staff:manage",
  staffOnly: true,
  fresh: true,
  notFound: "staff_not_found",
  answer: z.strictObject({ data: staffSchema }),
  errors: ["role_insufficient"],
});

export const makePasswordReset = operation({
  id: "makePasswordReset",
  method: "POST",
  path: "/staff/{id}/password-reset",
  summary: "Create a one-time link with which a staff member sets a new password",
  kind: "write",
  scope: "staff:manage",
  staffOnly: true,
  fresh: true,
  secret: true,
  notFound: "staff_not_found",
  status: 201,
  answer: z.strictObject({ data: linkSchema, link: z.string() }),
  errors: ["role_insufficient"],
});

export const requireSecondFactor = operation({
  id: "requireSecondFactor",
  method: "PATCH",
  path: "/staff/second-factor-policy",
  summary: "Require two-factor authentication for all staff, or stop requiring it; owners only",
  kind: "write",
  scope: "staff:manage",
  staffOnly: true,
  fresh: true,
  body: z.strictObject({ required: logSafe(z.boolean("This field must be true or false.")) }),
  answer: z.strictObject({ required: logSafe(z.boolean()) }),
  errors: ["role_insufficient"],
});

export const readLink = operation({
  id: "readLink",
  method: "POST",
  path: "/staff/links/read",
  summary: "Get what an invitation or password link is for",
  kind: "public",
  scope: null,
  body: z.strictObject({ token }),
  answer: z.strictObject({
    kind: z.enum(["invitation", "password_reset"]),
    email: z.string(),
    role: z.enum(ROLES).nullable(),
    business_name: z.string(),
    expires_at: z.iso.datetime(),
  }),
  errors: ["link_not_found", "rate_limited", "database_unavailable"],
});

export const acceptInvitation = operation({
  id: "acceptInvitation",
  method: "POST",
  path: "/staff/links/accept",
  summary: "Accept an invitation and choose a password",
  kind: "public",
  scope: null,
  body: z.strictObject({
    token,
    first_name: text(),
    last_name: text(),
    password: passwordSchema,
  }),
  status: 201,
  answer: z.strictObject({ email: z.string() }),
  errors: ["email_already_registered", ...LINK_ERRORS],
});

export const resetPassword = operation({
  id: "resetPassword",
  method: "POST",
  path: "/staff/links/reset-password",
  summary: "Set a new password with a one-time link",
  kind: "public",
  scope: null,
  body: z.strictObject({ token, password: passwordSchema }),
  answer: z.strictObject({ email: z.string() }),
  errors: LINK_ERRORS,
});

const self = { kind: "write", scope: null, staffOnly: true } as const;
const done = z.strictObject({ message: z.string() });

export const confirmSelf = operation({
  ...self,
  id: "confirmSelf",
  method: "POST",
  path: "/staff/me/confirm",
  summary: "Reauthenticate for operations that require a recent sign-in",
  secret: true,
  body: z.strictObject({
    password: typedPassword,
    code: z.string().max(32).nullable().default(null),
  }),
  answer: done,
  errors: ["overloaded"],
});

export const changePassword = operation({
  ...self,
  id: "changePassword",
  method: "PATCH",
  path: "/staff/me/password",
  summary: "Change your password, which ends your other sessions",
  secret: true,
  body: z.strictObject({ current_password: typedPassword, new_password: passwordSchema }),
  answer: done,
  errors: ["overloaded"],
});

export const revokeOtherSessions = operation({
  ...self,
  id: "revokeOtherSessions",
  method: "DELETE",
  path: "/staff/me/sessions",
  summary: "Sign out of all your other sessions",
  answer: done,
});

export const revokeOwnSession = operation({
  ...self,
  id: "revokeOwnSession",
  method: "DELETE",
  path: "/staff/me/sessions/{id}",
  summary: "Sign out of one of your sessions",
  answer: done,
  notFound: "session_not_found",
});

export const beginSecondFactor = operation({
  ...self,
  id: "beginSecondFactor",
  method: "POST",
  path: "/staff/me/second-factor",
  summary: "Start setting up two-factor authentication: get the secret for an authenticator app",
  fresh: true,
  secret: true,
  status: 201,
  answer: z.strictObject({ secret: z.string(), uri: z.string() }),
  errors: ["second_factor_exists"],
});

export const enableSecondFactor = operation({
  ...self,
  id: "enableSecondFactor",
  method: "POST",
  path: "/staff/me/second-factor/enable",
  summary:
    "Confirm two-factor authentication with a first code; returns recovery codes, shown only once",
  secret: true,
  body: z.strictObject({ code: text(32) }),
  answer: z.strictObject({ recovery_codes: z.array(z.string()) }),
});

export const disableSecondFactor = operation({
  ...self,
  id: "disableSecondFactor",
  method: "DELETE",
  path: "/staff/me/second-factor",
  summary: "Remove your two-factor authentication",
  fresh: true,
  answer: done,
});
