import { and, eq, sql } from "drizzle-orm";
import {
  boolean,
  check,
  index,
  json,
  pgTable,
  smallint,
  text,
  unique,
  uuid,
} from "drizzle-orm/pg-core";
import { moment, money, NOW, toList } from "./columns.ts";
import { apiKeys, integrators } from "./integrators.ts";
import { transactions } from "./transactions.ts";

/** The kinds of records that the card network refunds, or takes back, by naming its own reference of them. */
export const ORIGINAL_KINDS = ["capture", "posting", "refund"] as const;

/**
 * The card network's requests and our answers, append-only and kept forever. Each `reference` is used once in the
 * whole installation, whichever integrator it concerns. A declined authorization for an unknown card has neither
 * integrator nor transaction, and is recorded only here. So is a reversal that came before its authorization. An
 * approval that the network gave in our place stands in for the authorization whose reference it `awaits`, while that
 * is missing or declined: a request that arrives later asks only for what it adds.
 *
 * A message that comes before its authorization `awaits` that authorization's reference. It reduces the hold to come:
 * it `releases` an amount in minor units, and if it `ends_hold`, nothing is held any more. A reversal that came
 * before the capture, posting, or refund that it takes back stores that record's reference as `takes_back`, and its
 * kind.
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

/** Joins an operation to the transaction that it created. */
export const OWN_TRANSACTION = and(
  eq(transactions.integratorId, processorOperations.integratorId),
  eq(transactions.id, processorOperations.transactionId),
);

/**
 * The operations with which the card network reports what has happened, or asks for more on an authorization.
 * `createAuthorization` is one where the network has already approved it.
 */
export const CLEARING_OPERATIONS = [
  "createAuthorization",
  "createCapture",
  "createIncrement",
  "createPosting",
  "createRefund",
  "createReversal",
  "createReversalByReference",
] as const;

/** Why a message is not in the books. */
export const UNMATCHED_REASONS = [
  "authorization_not_found",
  "card_not_found",
  "transaction_not_found",
  "card_conflict",
  "currency_mismatch",
  "reference_reused",
  "refused",
  "not_recorded",
] as const;

/**
 * Messages of the card network that are not in the books, for whatever reason. A message that repeats both reference
 * and content is stored once. `message` is the body as it was sent, plus the id in the path, minus the reference and
 * what may name a cardholder, which is in `personal`. It is JSON and not JSONB, to preserve control characters.
 * `authorization_…` and `card_id` are as the network named them.
 */
export const unmatchedFacts = pgTable(
  "unmatched_facts",
  {
    id: uuid("id").primaryKey(),
    reference: text("reference").notNull(),
    operation: text("operation", { enum: CLEARING_OPERATIONS }).notNull(),
    fingerprint: text("fingerprint").notNull(),
    reason: text("reason", { enum: UNMATCHED_REASONS }).notNull(),
    message: json("message").$type<Readonly<Record<string, unknown>>>().notNull(),
    personal: json("personal").$type<Readonly<Record<string, unknown>>>(),
    authorizationReference: text("authorization_reference"),
    authorizationId: uuid("authorization_id"),
    cardId: uuid("card_id"),
    apiKeyId: uuid("api_key_id")
      .notNull()
      .references(() => apiKeys.id),
    requestId: text("request_id").notNull(),
    createdAt: moment("created_at").notNull().default(NOW),
  },
  (table) => [
    unique("unmatched_facts_content").on(table.reference, table.operation, table.fingerprint),
    index("unmatched_facts_waiting")
      .on(table.authorizationReference)
      .where(sql`operation = 'createPosting' and reason = 'authorization_not_found'`),
    check("unmatched_facts_operation", sql`${table.operation} in ${toList(CLEARING_OPERATIONS)}`),
    check("unmatched_facts_reason", sql`${table.reason} in ${toList(UNMATCHED_REASONS)}`),
  ],
);
