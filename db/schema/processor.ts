import { sql } from "drizzle-orm";
import { check, index, pgTable, smallint, text, uuid } from "drizzle-orm/pg-core";
import { moment, NOW } from "./columns.ts";
import { apiKeys, integrators } from "./integrators.ts";

/**
 * The card network's requests and our answers, append-only and kept forever. Each `reference` is used once in
 * the whole installation, whichever integrator it concerns. A declined authorization for an unknown card has
 * neither integrator nor transaction, and is recorded only here. So is a reversal that came before its authorization:
 * `reverses` is that authorization's reference.
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
    reverses: text("reverses"),
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
    index("processor_operations_reverses")
      .on(table.reverses)
      .where(sql`reverses is not null`),
    index("processor_operations_funding")
      .on(table.integratorId, table.requestId)
      .where(sql`operation = 'createFunding'`),
    check("processor_operations_reference", sql`length(${table.reference}) between 1 and 255`),
  ],
);
