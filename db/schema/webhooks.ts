import { sql } from "drizzle-orm";
import {
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
import { moment, NOW, toList } from "./columns.ts";
import { ENDPOINT_FORMATS } from "./endpoint-formats.ts";
import { ENDPOINTS_MAX } from "./endpoints-max.ts";
import { integratorId } from "./integrators.ts";

/**
 * An endpoint: where it is, which events it gets, what a request to it requires, and how it answers. The first one is
 * the account's `webhook_url`: its id is the integrator's, and it gets everything. Secrets and headers are encrypted.
 * The row also serializes workers: a transaction that claims or changes deliveries of this endpoint locks it first.
 * The row of a deleted endpoint stays, because its deliveries do.
 */
export const webhookEndpoints = pgTable(
  "webhook_endpoints",
  {
    id: uuid("id").primaryKey(),
    integratorId: integratorId(),
    place: smallint("place").notNull().default(1),
    /** Null while nothing is sent. */
    url: text("url"),
    /** The names of the events that it gets; null for all. */
    events: text("events").array(),
    /** Headers that each request also sends, by name, as encrypted JSON; null without any. */
    headers: text("headers"),
    /** What is sent: the event, or a sentence about it for a chat. */
    format: text("format", { enum: ENDPOINT_FORMATS }).notNull().default("event"),
    secret: text("secret").notNull(),
    switchedOffAt: moment("switched_off_at"),
    switchedOffReason: text("switched_off_reason", { enum: ["gone", "failing"] }),
    /** The first failure since the last success. */
    failingSince: moment("failing_since"),
    lastSuccessAt: moment("last_success_at"),
    lastFailureAt: moment("last_failure_at"),
    /**
     * The number of deliveries that may be in flight at once, across all workers, while the endpoint is not
     * failing.
     */
    inFlightMax: smallint("in_flight_max").notNull().default(5),
    createdAt: moment("created_at").notNull().default(NOW),
    deletedAt: moment("deleted_at"),
  },
  (table) => [
    uniqueIndex("webhook_endpoints_place")
      .on(table.integratorId, table.place)
      .where(sql`${table.deletedAt} is null`),
    check("webhook_endpoints_places", sql.raw(`place between 1 and ${ENDPOINTS_MAX}`)),
    check(
      "webhook_endpoints_first",
      sql`(${table.place} = 1) = (${table.id} = ${table.integratorId})`,
    ),
    check(
      "webhook_endpoints_events",
      sql`(${table.events} is null) = (${table.place} = 1) and cardinality(${table.events}) >= 1`,
    ),
    check(
      "webhook_endpoints_format",
      sql`${table.format} in ${toList(ENDPOINT_FORMATS)} and (${table.format} = 'event' or ${table.place} > 1)`,
    ),
    check("webhook_endpoints_headers", sql`${table.headers} is null or ${table.place} > 1`),
    check(
      "webhook_endpoints_deleted",
      sql`${table.deletedAt} is null or ${table.place} > 1 and ${table.url} is null and ${table.headers} is null`,
    ),
    check("webhook_endpoints_in_flight", sql`${table.inFlightMax} between 1 and 64`),
    check(
      "webhook_endpoints_switched_off",
      sql`(${table.switchedOffAt} is null) = (${table.switchedOffReason} is null)
        and ${table.switchedOffReason} in ('gone', 'failing')`,
    ),
  ],
);

/** Signing secrets that were rotated out, encrypted. Each also signs for a day from then on. */
export const webhookPreviousSecrets = pgTable(
  "webhook_previous_secrets",
  {
    endpointId: uuid("endpoint_id")
      .notNull()
      .references(() => webhookEndpoints.id),
    id: uuid("id").notNull(),
    secret: text("secret").notNull(),
    /** When it was rotated out. */
    createdAt: moment("created_at").notNull().default(NOW),
  },
  (table) => [
    primaryKey({ columns: [table.endpointId, table.id] }),
    index("webhook_previous_secrets_age").on(table.createdAt),
  ],
);

/**
 * The `due_at` of a delivery that is to be attempted now. In whole milliseconds, as in the ids of events: what is due in
 * the same millisecond is sent in the order of its events.
 */
export const DUE_NOW = sql`date_trunc('milliseconds', statement_timestamp())`;

/**
 * The delivery of an event to an endpoint of its integrator, written with the event. While it is pending, `due_at` is
 * when it may be claimed next: at the next attempt, or, while a worker holds a claim, when that claim expires.
 * `attempts` counts claims and so distinguishes them; `failures` is the progress of the retries.
 */
export const webhookDeliveries = pgTable(
  "webhook_deliveries",
  {
    endpointId: uuid("endpoint_id").notNull(),
    eventId: uuid("event_id").notNull(),
    event: text("event").notNull(),
    cardId: uuid("card_id"),
    state: text("state", { enum: ["pending", "delivered", "exhausted", "stopped"] })
      .notNull()
      .default("pending"),
    dueAt: moment("due_at").notNull(),
    lockedBy: uuid("locked_by"),
    attempts: integer("attempts").notNull().default(0),
    failures: smallint("failures").notNull().default(0),
    lastAttemptAt: moment("last_attempt_at"),
    lastStatus: smallint("last_status"),
    lastFailure: text("last_failure"),
    deliveredAt: moment("delivered_at"),
    /** The span of the request that caused the event, which attempts continue; null when that was not traced. */
    traceparent: text("traceparent"),
    createdAt: moment("created_at").notNull().default(NOW),
  },
  (table) => [
    primaryKey({ columns: [table.endpointId, table.eventId] }),
    index("webhook_deliveries_due")
      .on(table.endpointId, table.dueAt)
      .where(sql`${table.state} = 'pending'`),
    index("webhook_deliveries_in_flight")
      .on(table.endpointId, table.dueAt)
      .where(sql`${table.lockedBy} is not null`),
    index("webhook_deliveries_missed")
      .on(table.endpointId, table.eventId)
      .where(sql`${table.state} in ('exhausted', 'stopped')`),
    index("webhook_deliveries_card")
      .on(table.endpointId, table.cardId, table.eventId)
      .where(sql`${table.cardId} is not null`),
    // As with events: rare ones are found by name.
    index("webhook_deliveries_rare")
      .on(table.endpointId, table.event, table.eventId)
      .where(sql`${table.event} <> 'card.transaction'`),
    index("webhook_deliveries_age").on(table.createdAt),
    check(
      "webhook_deliveries_state",
      sql`${table.state} in ('pending', 'delivered', 'exhausted', 'stopped')`,
    ),
    check(
      "webhook_deliveries_delivered",
      sql`(${table.state} = 'delivered') = (${table.deliveredAt} is not null)`,
    ),
    check(
      "webhook_deliveries_locked",
      sql`${table.lockedBy} is null or ${table.state} = 'pending'`,
    ),
    check(
      "webhook_deliveries_counts",
      sql`${table.attempts} >= 0 and ${table.failures} between 0 and 10`,
    ),
  ],
);

/** One HTTP attempt: the request and its response. The request's body is the event's. */
export const webhookAttempts = pgTable(
  "webhook_attempts",
  {
    endpointId: uuid("endpoint_id").notNull(),
    eventId: uuid("event_id").notNull(),
    number: integer("number").notNull(),
    url: text("url").notNull(),
    /** The address connected to, or the last one tried; null when none was. */
    address: text("address"),
    startedAt: moment("started_at").notNull(),
    durationMs: integer("duration_ms").notNull(),
    status: smallint("status"),
    failure: text("failure"),
    detail: text("detail"),
    requestHeaders: jsonb("request_headers").$type<Record<string, string>>().notNull(),
    responseHeaders: jsonb("response_headers").$type<Record<string, string>>(),
    responseBody: text("response_body"),
  },
  (table) => [
    primaryKey({ columns: [table.endpointId, table.eventId, table.number] }),
    foreignKey({
      name: "webhook_attempts_delivery",
      columns: [table.endpointId, table.eventId],
      foreignColumns: [webhookDeliveries.endpointId, webhookDeliveries.eventId],
    }).onDelete("cascade"),
    check("webhook_attempts_response_size", sql`octet_length(${table.responseBody}) <= 16384`),
  ],
);

/**
 * Live workers, each with a heartbeat every second. A worker silent for too long is dead, and its claims are
 * free.
 */
export const webhookWorkers = pgTable("webhook_workers", {
  id: uuid("id").primaryKey(),
  seenAt: moment("seen_at").notNull().default(NOW),
});
