import * as access from "#lib/api/contract/access.ts";
import * as account from "#lib/api/contract/account.ts";
import * as cardholders from "#lib/api/contract/cardholders.ts";
import * as cards from "#lib/api/contract/cards.ts";
import * as clock from "#lib/api/contract/clock.ts";
import * as deprecations from "#lib/api/contract/deprecations.ts";
import * as exports from "#lib/api/contract/exports.ts";
import * as funds from "#lib/api/contract/funds.ts";
import * as health from "#lib/api/contract/health.ts";
import * as idempotency from "#lib/api/contract/idempotency.ts";
import type { Operation } from "#lib/api/contract/operation.ts";
import * as sandboxInbox from "#lib/api/contract/sandbox-inbox.ts";
import * as staff from "#lib/api/contract/staff.ts";
import * as processor from "#lib/api/contract/processor.ts";
import * as transactions from "#lib/api/contract/transactions.ts";
import * as webhooks from "#lib/api/contract/webhooks.ts";

/** The operations on one noun. */
interface Group {
  name: string;
  description: string;
  operations: readonly Operation[];
}

/** All operations by noun, in the order of the reference. */
export const GROUPS: readonly Group[] = [
  group(account, "Account", "The integrator's own account: its information and its settings."),
  group(cardholders, "Cardholders", "The people whom cards are issued to."),
  group(cards, "Cards", "Virtual cards: create, freeze, unfreeze, and close them."),
  group(funds, "Funds", "The float, and moving funds between it and cards."),
  group(transactions, "Transactions", "Purchases, refunds, credits, and debits."),
  group(processor, "Card network", "What the card network reports, with a key of its own."),
  group(clock, "Sandbox clock", "Reach deadlines of days and years in seconds; sandbox only."),
  group(
    { ...webhooks, ...sandboxInbox },
    "Events and webhooks",
    "What happened, and how your server learns of it.",
  ),
  group(health, "Server", "Health checks, and this document."),
  group(idempotency, "Idempotency keys", "What became of a request whose answer was lost."),
  group(exports, "Exports", "Lists as CSV files."),
  group(
    deprecations,
    "Deprecations",
    "Operations that a newer one replaces, and who still calls them.",
  ),
  group(access, "Keys and logs", "API keys, the audit log, and the API log; for staff."),
  group(staff, "Staff", "People who work in the dashboard, and how they sign in."),
];

/** Sorted by path: the order of a module's exports depends on what loads it. */
function group(noun: object, name: string, description: string): Group {
  const operations = Object.values<Operation>({ ...noun });
  return { name, description, operations: operations.toSorted((a, b) => compare(a.path, b.path)) };
}

function compare(a: string, b: string): number {
  return Number(a > b) - Number(a < b);
}

/** All operations. */
export const OPERATIONS: readonly Operation[] = GROUPS.flatMap(({ operations }) => operations);
