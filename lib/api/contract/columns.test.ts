import { getTableColumns } from "drizzle-orm";
import type { PgTable } from "drizzle-orm/pg-core";
import { expect, test } from "vitest";
import { toApiKeyResource } from "#lib/access/api-key-resource.ts";
import { toBulkJobResource, toBulkResultResource } from "#lib/bulk/bulk-resource.ts";
import { CARD_CELLS, toCardResource } from "#lib/cards/card-resource.ts";
import { toUserResource } from "#lib/cards/cardholder-resource.ts";
import { toAccountResource } from "#lib/integrators/account-resource.ts";
import { toAuditResource } from "#lib/record/audit-resource.ts";
import { toDetailedRequestResource } from "#lib/record/request-resource.ts";
import { toLinkResource, toStaffResource } from "#lib/staff/staff-resource.ts";
import {
  APPENDED_CELLS,
  toTransactionResource,
  TRANSACTION_CELLS,
} from "#lib/transactions/transaction-resource.ts";
import { toViewResource } from "#lib/views/view-resource.ts";
import { toDeliveryResource } from "#lib/webhooks/delivery-resource.ts";
import { toEndpointResource } from "#lib/webhooks/endpoint-resource.ts";
import { bulkItems, bulkJobs } from "#db/schema/bulk.ts";
import { cards } from "#db/schema/cards.ts";
import { apiLog, auditLog } from "#db/schema/events.ts";
import { apiKeys, cardholders, integrators } from "#db/schema/integrators.ts";
import { ledgerAccounts } from "#db/schema/ledger.ts";
import { staff, staffLinks } from "#db/schema/staff.ts";
import { transactions } from "#db/schema/transactions.ts";
import { savedViews } from "#db/schema/views.ts";
import { webhookDeliveries, webhookEndpoints } from "#db/schema/webhooks.ts";

/** Stands in for the value of any column: it can be called, read, iterated, and converted. */
const ANYTHING: unknown = new Proxy(() => ANYTHING, {
  get: (_, name) => {
    if (name === Symbol.toPrimitive) {
      return () => "1";
    }
    return name === Symbol.iterator ? () => [].values() : ANYTHING;
  },
  apply: () => ANYTHING,
  ownKeys: () => [],
  getOwnPropertyDescriptor: () => undefined,
});

/** The members of a row that functions read. */
function findRead(readers: readonly ((row: never) => unknown)[]): Set<string> {
  const read = new Set<string>();
  const row = new Proxy(
    {},
    {
      get: (_, name) => {
        read.add(String(name));
        return ANYTHING;
      },
    },
  );
  for (const reader of readers) {
    reader(row as never);
  }
  return read;
}

interface Noun {
  table: PgTable;
  readers: readonly ((row: never) => unknown)[];
  /** Columns that are not shown, or by another name or only in some states, such as the `dueAt` of a pending delivery. */
  internal: string;
}

const NOUNS: Readonly<Record<string, Noun>> = {
  transaction: {
    table: transactions,
    readers: [
      toTransactionResource,
      ...Object.values(TRANSACTION_CELLS),
      ...Object.values(APPENDED_CELLS),
    ],
    internal:
      "integratorId transferId accountVersion counted countedAt declineForced heldBefore address",
  },
  card: {
    table: cards,
    readers: [toCardResource, ...Object.values(CARD_CELLS)],
    internal: "validityDays",
  },
  "card's account": {
    table: ledgerAccounts,
    readers: [toCardResource],
    internal: "eventSequence freezeDueAt idleDueAt kind rank version",
  },
  cardholder: { table: cardholders, readers: [toUserResource], internal: "eventSequence" },
  account: {
    table: integrators,
    readers: [toAccountResource],
    internal:
      "eventSequence booksUnbalancedAt clockOffsetS clockTargetS clockSince idleFillAfter approvalSince secondFactorRequired vouched",
  },
  "API key": {
    table: apiKeys,
    readers: [toApiKeyResource],
    internal: "integratorId hash makerId endAnnouncedAt",
  },
  "member of staff": {
    table: staff,
    readers: [toStaffResource],
    internal:
      "integratorId emailVouched mutedTopics passwordHash passwordResetAt passwordResetBy removedAt totpSecret totpConfirmedAt totpStep updatedAt",
  },
  "one-time link": {
    table: staffLinks,
    readers: [toLinkResource],
    internal: "integratorId staffId tokenHash revokedAt usedAt",
  },
  view: { table: savedViews, readers: [toViewResource], internal: "integratorId staffId" },
  job: {
    table: bulkJobs,
    readers: [toBulkJobResource],
    internal: "integratorId address agent requestId",
  },
  "job's result": {
    table: bulkItems,
    readers: [toBulkResultResource],
    internal:
      "integratorId jobId seenVersion leftVersion narrative replaced replacedControls restores restoresControls",
  },
  delivery: {
    table: webhookDeliveries,
    readers: [toDeliveryResource],
    internal: "failures lockedBy traceparent dueAt",
  },
  endpoint: {
    table: webhookEndpoints,
    readers: [toEndpointResource],
    internal: "integratorId place url secret inFlightMax createdAt deletedAt",
  },
  "entry of the audit log": {
    table: auditLog,
    readers: [toAuditResource],
    internal: "integratorId",
  },
  "request of the API log": {
    table: apiLog,
    readers: [toDetailedRequestResource],
    internal: "integratorId",
  },
};

function findUnread({ table, readers }: Noun): string[] {
  const read = findRead(readers);
  return Object.keys(getTableColumns(table)).filter((name) => !read.has(name));
}

test.each(Object.entries(NOUNS))(
  "every column of the %s is shown, or listed as internal",
  (_, noun) => {
    expect(findUnread(noun).toSorted().join(" ")).toBe(
      noun.internal.split(" ").toSorted().join(" "),
    );
  },
);
