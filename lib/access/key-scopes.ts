import type { KEY_SCOPES } from "#lib/base/actor.ts";

/** What each scope allows an API key, in words for people. */
export const KEY_SCOPE_PURPOSES: Readonly<Record<(typeof KEY_SCOPES)[number], string>> = {
  "cards:read": "View cards and cardholders",
  "cards:write": "Create, freeze, unfreeze, and close cards",
  "cards:freeze": "Freeze cards for their cardholders, and lift those freezes",
  "cards:lift": "Lift compliance freezes",
  "cards:limits": "Set what cards may buy",
  "cardholders:erase": "Erase the personal data of cardholders for good",
  "funds:write": "Move funds between the float and cards",
  "account:read": "View the account and the float",
  "account:write": "Change account details and settings",
  "transactions:read": "View transactions and declines",
  "webhooks:read": "View events and webhook deliveries",
  "webhooks:write": "Send, resend, and re-enable webhooks, and rotate their secret",
  "sandbox:write": "Simulate purchases and top-ups in the sandbox",
};
