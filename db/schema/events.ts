import { sql } from "drizzle-orm";
import {
  bigint,
  boolean,
  check,
  foreignKey,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  smallint,
  text,
  uniqueIndex,
  uuid,
} from "drizzle-orm/pg-core";
import { counter, FEED_POSITION, isNamed, moment, NOW, xid8 } from "./columns.ts";
import type { StoredActor } from "./columns.ts";
import { integratorId, integrators } from "./integrators.ts";
import { transfers } from "./ledger.ts";

/**
 * Events, append-only, written in the transaction of the change. `content` is the JSON of everything without a column
 * of its own: the request, the actor, and the data before and after, without a cardholder's values
 * (`personal_values`). `sequence` has no gaps per subject. `xid` orders events for readers, who stay below the oldest
 * running transaction and so skip nothing; within a subject, it never contradicts `sequence`.
 */
export const events = pgTable(
  "events",
  {
    integratorId: integratorId(),
    id: uuid("id").notNull(),
    event: text("event").notNull(),
    subjectType: text("subject_type", {
      enum: ["card", "float", "account", "cardholder"],
    }).notNull(),
    subjectId: uuid("subject_id").notNull(),
    sequence: counter("sequence").notNull(),
    transferId: uuid("transfer_id"),
    apiVersion: text("api_version").notNull(),
    content: text("content").notNull(),
    xid: xid8("xid").notNull().default(FEED_POSITION),
    createdAt: moment("created_at").notNull().default(NOW),
  },
  (table) => [
    primaryKey({ columns: [table.integratorId, table.id] }),
    uniqueIndex("events_sequence")
      .on(table.integratorId, table.subjectType, table.subjectId, table.sequence)
      .where(isNamed(table.subjectId)),
    index("events_feed").on(table.integratorId, table.xid, table.id).where(isNamed(table.xid)),
    index("events_transfer")
      .on(table.integratorId, table.transferId)
      .where(isNamed(table.transferId)),
    // Rare events are found by their name. Those of money are always close by, and too frequent to index twice.
    index("events_rare")
      .on(table.integratorId, table.event, table.id)
      .where(sql`${table.event} not in ('card.transaction', 'card.credited', 'card.debited')`),
    foreignKey({
      name: "events_transfer",
      columns: [table.integratorId, table.transferId],
      foreignColumns: [transfers.integratorId, transfers.id],
    }),
    check(
      "events_subject",
      sql`${table.subjectType} in ('card', 'float', 'account', 'cardholder')`,
    ),
    check("events_sequence_first", sql`${table.sequence} >= 1`),
    check("events_content_size", sql`octet_length(${table.content}) < 40000`),
  ],
);

/**
 * Who changed what, append-only. Secrets are left out of `before` and `after`, and so are a cardholder's values
 * (`personal_values`). A credit or debit by an API key has no row: its transaction records the same.
 */
export const auditLog = pgTable(
  "audit_log",
  {
    integratorId: integratorId(),
    id: uuid("id").notNull(),
    actor: jsonb("actor").$type<StoredActor>().notNull(),
    action: text("action").notNull(),
    targetType: text("target_type").notNull(),
    targetId: uuid("target_id").notNull(),
    before: jsonb("before").$type<Record<string, unknown>>(),
    after: jsonb("after").$type<Record<string, unknown>>(),
    address: text("address"),
    agent: text("agent"),
    requestId: text("request_id").notNull(),
    createdAt: moment("created_at").notNull().default(NOW),
  },
  (table) => [
    primaryKey({ columns: [table.integratorId, table.id] }),
    index("audit_log_target").on(table.integratorId, table.targetId, table.id),
    index("audit_log_action").on(table.integratorId, table.action, table.id),
    index("audit_log_notes")
      .on(table.integratorId, table.targetId, table.id)
      .where(sql`${table.action} = 'card.noted'`),
    index("audit_log_refused")
      .on(table.integratorId, table.id)
      .where(sql`${table.action} like '%refused'`),
    index("audit_log_staff")
      .on(table.integratorId, sql`(${table.actor} ->> 'id')`, table.id)
      .where(sql`${table.actor} ->> 'type' = 'staff'`),
  ],
);

/** The response to a request with an idempotency key, as sent, stored for 30 days. */
export const idempotentRequests = pgTable(
  "idempotent_requests",
  {
    integratorId: integratorId(),
    /** The key's hash (`toIdempotencyName`). */
    key: text("key").notNull(),
    fingerprint: text("fingerprint").notNull(),
    /** The contract's id of the operation; null in rows older than the column. */
    operation: text("operation"),
    status: smallint("status").notNull(),
    contentType: text("content_type").notNull(),
    /** Null once a cardholder whose values it held was erased. */
    body: text("body"),
    /** The person or API key that the response's secret was shown to. Null when it holds none. */
    recipientId: uuid("recipient_id"),
    requestId: text("request_id").notNull(),
    createdAt: moment("created_at").notNull().default(NOW),
  },
  (table) => [
    primaryKey({ columns: [table.integratorId, table.key] }),
    index("idempotent_requests_age").on(table.createdAt),
    check("idempotent_requests_key", sql`length(${table.key}) between 1 and 255`),
  ],
);

/**
 * One row per request, written in batches off the request's path and kept for 30 days, and up to a week longer: the
 * table is partitioned by the week of the id (`0002_api_log_partitions.sql`). The columns without a value in old rows
 * were added later.
 */
export const apiLog = pgTable(
  "api_log",
  {
    id: uuid("id").primaryKey(),
    integratorId: uuid("integrator_id").references(() => integrators.id),
    actor: jsonb("actor").$type<StoredActor>(),
    operation: text("operation"),
    method: text("method").notNull(),
    path: text("path").notNull(),
    status: smallint("status").notNull(),
    code: text("code"),
    detail: text("detail"),
    cardId: uuid("card_id"),
    durationMs: integer("duration_ms").notNull(),
    requestId: text("request_id").notNull(),
    address: text("address"),
    apiVersion: text("api_version"),
    idempotencyKey: text("idempotency_key"),
    replayed: boolean("replayed").notNull().default(false),
    /** Whether the bodies were kept, and if not, why. */
    bodies: text("bodies", { enum: ["kept", "off", "secret", "limited"] }),
    createdAt: moment("created_at").notNull().default(NOW),
  },
  (table) => [
    index("api_log_integrator").on(table.integratorId, table.id),
    index("api_log_failures")
      .on(table.integratorId, table.id)
      .where(sql`${table.status} >= 400`),
    index("api_log_refusals")
      .on(table.integratorId, table.cardId, table.id)
      .where(sql`${table.status} >= 400`),
  ],
);

/** The redacted bodies of a request in the API log, each a JSON document, kept for 7 days. */
export const apiLogBodies = pgTable(
  "api_log_bodies",
  {
    id: uuid("id").primaryKey(),
    integratorId: integratorId(),
    request: text("request").notNull(),
    response: text("response").notNull(),
    createdAt: moment("created_at").notNull().default(NOW),
  },
  (table) => [
    index("api_log_bodies_age").on(table.createdAt),
    check(
      "api_log_bodies_size",
      sql`octet_length(${table.request}) <= 20000 and octet_length(${table.response}) <= 20000`,
    ),
  ],
);

/**
 * Counts of requests by operation, hour (UTC), range of durations, and code. Written with the rows that it counts and
 * kept for 2 days, so that the health of an account is read from a few rows.
 */
export const apiLogHours = pgTable(
  "api_log_hours",
  {
    integratorId: integratorId(),
    hour: moment("hour").notNull(),
    operation: text("operation").notNull(),
    /** The code of the refusal; empty for a success. */
    code: text("code").notNull(),
    /** Which range of durations, counted from 0: `lib/record/duration-ranges.ts`. */
    range: smallint("range").notNull(),
    requests: bigint("requests", { mode: "number" }).notNull(),
    createdAt: moment("created_at").notNull().default(NOW),
  },
  (table) => [
    primaryKey({
      columns: [table.integratorId, table.hour, table.operation, table.code, table.range],
    }),
    index("api_log_hours_age").on(table.createdAt),
  ],
);
