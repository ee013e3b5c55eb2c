import type { DeclaredActions } from "#lib/audit/action.ts";
import { say } from "#lib/sentences/say.ts";
import type { EventFormatter } from "#lib/sentences/event-formatter.ts";

export const STAFF_ACTIONS: DeclaredActions = {
  "staff.invited": {
    title: "Staff invited",
    format: (formatter) =>
      say`${formatter.who} invited ${toInvitee(formatter)} as ${formatter.text("role")}`,
  },
  "staff.invitation_revoked": {
    title: "Invitation revoked",
    format: (formatter) => say`${formatter.who} revoked the invitation for ${toInvitee(formatter)}`,
  },
  "staff.joined": {
    title: "Invitation accepted",
    format: (formatter) =>
      say`${formatter.who} accepted an invitation as ${formatter.text("role")}`,
  },
  "staff.role_changed": {
    title: "Role changed",
    format: ({ who, subject, before, after }) =>
      say`${who} changed the role of ${subject} from ${String(before["role"])} to ${String(after["role"])}`,
  },
  "staff.removed": {
    title: "Staff removed",
    format: ({ who, subject }) => say`${who} removed ${subject}`,
  },
  "staff.sessions_revoked": {
    title: "Sessions ended",
    format: ({ who, subject, isOwn }) =>
      isOwn
        ? say`${who} signed out of their other sessions`
        : say`${who} signed ${subject} out everywhere`,
  },
  "staff.session_revoked": {
    title: "Session ended",
    format: ({ who }) => say`${who} signed out of another of their sessions`,
  },
  "staff.password_reset_made": {
    title: "Password reset link created",
    format: ({ who, subject }) => say`${who} created a password reset link for ${subject}`,
  },
  "staff.password_forgotten": {
    title: "Password link requested",
    format: ({ subject }) => say`A password link for ${subject} was requested on the sign-in page`,
  },
  "staff.password_reset": {
    title: "Password reset",
    format: ({ who }) => say`${who} reset their password`,
  },
  "staff.password_changed": {
    title: "Password changed",
    format: ({ who }) => say`${who} changed their password`,
  },
  "staff.messages_chosen": {
    title: "Mail chosen",
    format: ({ who }) => say`${who} chose what they are told by mail`,
  },
  "staff.signed_in": {
    title: "Signed in",
    format: ({ who }) => say`${who} signed in`,
  },
  "staff.sign_in_refused": {
    title: "Sign-in refused",
    format: ({ who }) => say`A sign-in as ${who} was refused`,
  },
  "staff.second_factor_begun": {
    title: "Two-factor setup started",
    format: ({ who }) => say`${who} started setting up two-factor authentication`,
  },
  "staff.second_factor_enabled": {
    title: "Two-factor authentication enabled",
    format: ({ who }) => say`${who} enabled two-factor authentication`,
  },
  "staff.second_factor_disabled": {
    title: "Two-factor authentication disabled",
    format: ({ who }) => say`${who} disabled two-factor authentication`,
  },
};

/** An invitation names an email, because nobody has joined with it yet. */
function toInvitee(formatter: EventFormatter) {
  return { text: formatter.text("email"), href: "/settings/staff" };
}
