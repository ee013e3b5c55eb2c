import { sql } from "drizzle-orm";
import { boolean, check, index, jsonb, pgTable, smallint, text, uuid } from "drizzle-orm/pg-core";
import type { transactions } from "./transactions.ts";
import { moment, money, NOW, toList } from "./columns.ts";
import { apiKeys, integrators } from "./integrators.ts";

/** What the card network names by its own reference to refund it, or to take it back. */
export const ORIGINAL_KINDS = ["capture", "posting", "refund"] as const;

/**
 * The card network's requests and our answers, append-only and kept forever. Each `reference` is used once in
 * the whole installation, whichever integrator it concerns. A declined authorization for an unknown card has
 * neither integrator nor transaction, and is recorded only here. So is a reversal that came before its authorization.
 *
 * A message that comes before its authorization `awaits` that authorization's reference. What it leaves of the hold to
 * come: it `releases` an amount in minor units, and once it `ends_hold`, nothing is held any more. A reversal that came
 * before the capture, posting, or refund that it takes back names that one's reference as `takes_back`, and its kind.
 */
export const processorOperations = pgTable(
  "processor_operations",
  {
    reference: text("reference").primaryKey(),
    operation: text("operation").notNull(),
    fingerprint: text("fingerprint").notNull(),
    status: smallint("status").notNull(),
    contentType: text("content_type").notNull(),
    body: text("body").notNull(),
    integratorId: uuid("integrator_id").references(() => integrators.id),
    transactionId: uuid("transaction_id"),
    awaits: text("awaits"),
    releases: money("releases"),
    endsHold: boolean("ends_hold"),
    takesBack: text("takes_back"),
    takesBackKind: text("takes_back_kind", { enum: ORIGINAL_KINDS }),
    apiKeyId: uuid("api_key_id")
      .notNull()
      .references(() => apiKeys.id),
    requestId: text("request_id").notNull(),
    createdAt: moment("created_at").notNull().default(NOW),
  },
  (table) => [
    index("processor_operations_transaction")
      .on(table.transactionId)
      .where(sql`transaction_id is not null`),
    index("processor_operations_awaits")
      .on(table.awaits)
      .where(sql`awaits is not null`),
    index("processor_operations_takes_back")
      .on(table.takesBack)
      .where(sql`takes_back is not null`),
    index("processor_operations_funding")
      .on(table.integratorId, table.requestId)
      .where(sql`operation = 'createFunding'`),
    check("processor_operations_awaits", sql`num_nulls(awaits, releases, ends_hold) in (0, 3)`),
    check(
      "processor_operations_takes_back",
      sql`(${table.takesBack} is null) = (${table.takesBackKind} is null) and ${table.takesBackKind} in ${toList(ORIGINAL_KINDS)}`,
    ),
    check("processor_operations_reference", sql`length(${table.reference}) between 1 and 255`),
  ],
);

/** The operations of the card network that report a purchase or a refund. */
export const FACT_OPERATIONS = ["createCapture", "createPosting", "createRefund"] as const;

/** Why a fact is not in the books. */
export const UNMATCHED_REASONS = [
  "authorization_not_found",
  "card_not_found",
  "transaction_not_found",
  "not_recorded",
] as const;

/**
 * What the card network has reported and the books cannot take: its card is unknown, or the card's rows are damaged. It waits
 * for the operator to say which card it is about. Its narrative is not kept: it may name a cardholder who is not known here.
 */
export const unmatchedFacts = pgTable(
  "unmatched_facts",
  {
    id: uuid("id").primaryKey(),
    reference: text("reference").notNull().unique("unmatched_facts_reference"),
    operation: text("operation", { enum: FACT_OPERATIONS }).notNull(),
    fingerprint: text("fingerprint").notNull(),
    /** As the network named it. */
    cardId: uuid("card_id"),
    amount: money("amount"),
    merchant:
      jsonb("merchant").$type<NonNullable<(typeof transactions.$inferSelect)["merchant"]>>(),
    reason: text("reason", { enum: UNMATCHED_REASONS }).notNull(),
    apiKeyId: uuid("api_key_id")
      .notNull()
      .references(() => apiKeys.id),
    requestId: text("request_id").notNull(),
    createdAt: moment("created_at").notNull().default(NOW),
  },
  (table) => [
    check("unmatched_facts_operation", sql`${table.operation} in ${toList(FACT_OPERATIONS)}`),
    check("unmatched_facts_reason", sql`${table.reason} in ${toList(UNMATCHED_REASONS)}`),
  ],
);
