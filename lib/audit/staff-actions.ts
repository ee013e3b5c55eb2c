import type { DeclaredActions } from "#lib/audit/action.ts";
import { TWO_FACTOR } from "#lib/audit/internal/phrases.ts";
import { say } from "#lib/sentences/say.ts";
import type { Teller } from "#lib/sentences/teller.ts";

export const STAFF_ACTIONS: DeclaredActions = {
  "staff.invited": {
    title: "Staff invited",
    tell: (teller) => say`${teller.who} invited ${toInvitee(teller)} as ${teller.text("role")}`,
  },
  "staff.invitation_revoked": {
    title: "Invitation revoked",
    tell: (teller) => say`${teller.who} revoked the invitation for ${toInvitee(teller)}`,
  },
  "staff.joined": {
    title: "Invitation accepted",
    tell: (teller) => say`${teller.who} accepted an invitation as ${teller.text("role")}`,
  },
  "staff.role_changed": {
    title: "Role changed",
    tell: ({ who, subject, before, after }) =>
      say`${who} changed the role of ${subject} from ${String(before["role"])} to ${String(after["role"])}`,
  },
  "staff.removed": {
    title: "Staff removed",
    tell: ({ who, subject }) => say`${who} removed ${subject}`,
  },
  "staff.sessions_revoked": {
    title: "Sessions ended",
    tell: ({ who, subject, isOwn }) =>
      isOwn
        ? say`${who} signed out of their other sessions`
        : say`${who} signed ${subject} out everywhere`,
  },
  "staff.session_revoked": {
    title: "Session ended",
    tell: ({ who }) => say`${who} signed out of another of their sessions`,
  },
  "staff.password_reset_made": {
    title: "Password reset link created",
    tell: ({ who, subject }) => say`${who} created a password reset link for ${subject}`,
  },
  "staff.password_reset": {
    title: "Password reset",
    tell: ({ who }) => say`${who} reset their password`,
  },
  "staff.password_changed": {
    title: "Password changed",
    tell: ({ who }) => say`${who} changed their password`,
  },
  "staff.signed_in": {
    title: "Signed in",
    tell: ({ who }) => say`${who} signed in`,
  },
  "staff.sign_in_refused": {
    title: "Sign-in refused",
    tell: ({ who }) => say`A sign-in as ${who} was refused`,
  },
  "staff.second_factor_begun": {
    title: "Two-factor setup started",
    tell: ({ who }) => say`${who} started setting up ${TWO_FACTOR}`,
  },
  "staff.second_factor_enabled": {
    title: "Two-factor authentication enabled",
    tell: ({ who }) => say`${who} enabled ${TWO_FACTOR}`,
  },
  "staff.second_factor_disabled": {
    title: "Two-factor authentication disabled",
    tell: ({ who }) => say`${who} disabled ${TWO_FACTOR}`,
  },
};

/** An invitation names an email, because nobody has joined with it yet. */
function toInvitee(teller: Teller) {
  return { text: teller.text("email"), href: "/settings/staff" };
}
