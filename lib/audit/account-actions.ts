import type { DeclaredActions } from "#lib/audit/action.ts";
import { say } from "#lib/sentences/say.ts";

export const ACCOUNT_ACTIONS: DeclaredActions = {
  "account.registered": {
    title: "Account registered",
    format: () => say`The account was registered`,
  },
  "integrator.vouched": {
    title: "Staff emails verified",
    format: ({ who }) => say`${who} verified the email addresses of staff`,
  },
  "account.second_factor_required": {
    title: "Two-factor requirement changed",
    format: ({ who, after }) =>
      after["required"] === true
        ? say`${who} required two-factor authentication for all staff`
        : say`${who} made two-factor authentication optional for staff`,
  },
};
