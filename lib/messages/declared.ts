// Written by npm run generate.
import { passwordLink } from "#lib/messages/kinds/password-link.ts";
import { staffInvited } from "#lib/messages/kinds/staff-invited.ts";

/** Every kind of message. */
export const MESSAGE_KINDS = [passwordLink, staffInvited];
