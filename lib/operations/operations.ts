import { DECLARED } from "#lib/operations/declared.ts";
import type { Operation } from "#lib/operations/operation.ts";

/** The operations on one noun. */
interface Group {
  name: string;
  description: string;
  operations: readonly Operation[];
}

/** The title and description of each folder, in the order of the reference. */
const FOLDERS: Readonly<
  Record<keyof typeof DECLARED, readonly [name: string, description: string]>
> = {
  account: ["Account", "The integrator's own account: its information and its settings."],
  cardholders: ["Cardholders", "The people whom cards are issued to."],
  cards: ["Cards", "Virtual cards: create, freeze, unfreeze, and close them."],
  funds: ["Funds", "The float, and moving funds between it and cards."],
  bulk: ["Bulk jobs", "The same change to many cards, in one request."],
  approvals: ["Approvals", "What takes effect when a second person approves it."],
  transactions: ["Transactions", "Purchases, refunds, credits, and debits."],
  processor: ["Card network", "What the card network reports, with a key of its own."],
  "sandbox-clock": ["Sandbox clock", "Reach deadlines of days and years in seconds; sandbox only."],
  webhooks: ["Events and webhooks", "What happened, and how your server learns of it."],
  server: ["Server", "Health checks, and this document."],
  "idempotency-keys": ["Idempotency keys", "What became of a request whose answer was lost."],
  exports: ["Exports", "Lists as CSV files."],
  deprecations: ["Deprecations", "Operations that a newer one replaces, and who still calls them."],
  access: ["Keys and logs", "API keys, the audit log, and the API log; for staff."],
  views: ["Saved views", "Names for what the dashboard's lists show; for staff."],
  staff: ["Staff", "People who work in the dashboard, and how they sign in."],
};

/** All operations by noun, in the order of the reference; within a noun, by path. */
export const GROUPS: readonly Group[] = Object.keys(FOLDERS)
  .filter((folder) => isDeclared(folder))
  .map((folder) => {
    const [name, description] = FOLDERS[folder];
    return { name, description, operations: DECLARED[folder].toSorted(comparePaths) };
  });

function isDeclared(folder: string): folder is keyof typeof DECLARED {
  return folder in DECLARED;
}

function comparePaths({ path: a }: Operation, { path: b }: Operation): number {
  return Number(a > b) - Number(a < b);
}

/** All operations. */
export const OPERATIONS: readonly Operation[] = GROUPS.flatMap(({ operations }) => operations);
