// Written by npm run generate.
import { apiKeyCreated } from "#lib/messages/kinds/api-key-created.ts";
import { newBrowser } from "#lib/messages/kinds/new-browser.ts";
import { passwordChanged } from "#lib/messages/kinds/password-changed.ts";
import { passwordLink } from "#lib/messages/kinds/password-link.ts";
import { roleChanged } from "#lib/messages/kinds/role-changed.ts";
import { secondFactorChanged } from "#lib/messages/kinds/second-factor-changed.ts";
import { staffInvited } from "#lib/messages/kinds/staff-invited.ts";

/** Every kind of message. */
export const MESSAGE_KINDS = [
  apiKeyCreated,
  newBrowser,
  passwordChanged,
  passwordLink,
  roleChanged,
  secondFactorChanged,
  staffInvited,
];
