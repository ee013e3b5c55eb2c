import { ACCESS } from "#lib/api/reference/access.ts";
import { ACCOUNT } from "#lib/api/reference/account.ts";
import { CARDHOLDERS } from "#lib/api/reference/cardholders.ts";
import { CARDS } from "#lib/api/reference/cards.ts";
import { SANDBOX_CLOCK } from "#lib/api/reference/clock.ts";
import type { Entries, Entry } from "#lib/api/reference/entry.ts";
import { EXPORTS } from "#lib/api/reference/exports.ts";
import { FUNDS } from "#lib/api/reference/funds.ts";
import { PROCESSOR } from "#lib/api/reference/processor.ts";
import { SANDBOX_INBOX } from "#lib/api/reference/sandbox-inbox.ts";
import { SERVER } from "#lib/api/reference/server.ts";
import { STAFF } from "#lib/api/reference/staff.ts";
import { STAFF_SELF } from "#lib/api/reference/staff-self.ts";
import { TRANSACTIONS } from "#lib/api/reference/transactions.ts";
import { WEBHOOKS } from "#lib/api/reference/webhooks.ts";

const REFERENCE: Entries = {
  ...ACCOUNT,
  ...CARDHOLDERS,
  ...CARDS,
  ...FUNDS,
  ...TRANSACTIONS,
  ...PROCESSOR,
  ...SANDBOX_CLOCK,
  ...WEBHOOKS,
  ...SANDBOX_INBOX,
  ...SERVER,
  ...EXPORTS,
  ...ACCESS,
  ...STAFF,
  ...STAFF_SELF,
};

/**
 * The description and the example of an operation.
 * @throws Error for an operation that has none.
 */
export function getEntry(operationId: string): Entry {
  const entry = REFERENCE[operationId];
  if (!entry) {
    throw new Error(`The operation ${operationId} has no entry in lib/api/reference.`);
  }
  return entry;
}
