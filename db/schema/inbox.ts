import { sql } from "drizzle-orm";
import {
  check,
  foreignKey,
  index,
  jsonb,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
  uuid,
} from "drizzle-orm/pg-core";
import { moment, NOW } from "./columns.ts";
import { integrators } from "./integrators.ts";

/**
 * An integrator's inbox: a receiver on this server, at an address that contains the token. It is looked up by the
 * token's hash, so that the time of a look-up says nothing about a token that is nearly right. Only sandbox
 * integrators can have one: the environment is part of the reference.
 */
export const sandboxInboxes = pgTable(
  "sandbox_inboxes",
  {
    integratorId: uuid("integrator_id").primaryKey(),
    environment: text("environment", { enum: ["sandbox"] })
      .notNull()
      .default("sandbox"),
    token: text("token").notNull(),
    tokenHash: text("token_hash").notNull(),
    createdAt: moment("created_at").notNull().default(NOW),
  },
  (table) => [
    foreignKey({
      name: "sandbox_inboxes_integrator",
      columns: [table.environment, table.integratorId],
      foreignColumns: [integrators.environment, integrators.id],
    }),
    uniqueIndex("sandbox_inboxes_token").on(table.tokenHash),
    check("sandbox_inboxes_environment", sql`${table.environment} = 'sandbox'`),
    check("sandbox_inboxes_hash_form", sql`${table.tokenHash} ~ '^[0-9a-f]{64}$'`),
  ],
);

/** The notifications that an inbox received, whoever sent them, with the verdict on each signature at that moment. */
export const inboxNotifications = pgTable(
  "inbox_notifications",
  {
    integratorId: uuid("integrator_id").notNull(),
    id: uuid("id").notNull(),
    /** The event that the body names, if there is such an event. */
    event: text("event"),
    /** The `webhook-id` header, if it has the form of one of our ids. */
    webhookId: uuid("webhook_id"),
    headers: jsonb("headers").$type<Record<string, string>>().notNull(),
    /** Bytes and characters that text cannot hold are replaced by U+FFFD. */
    body: text("body").notNull(),
    /** The endpoint whose secret verified the signature; null when none did. */
    endpointId: uuid("endpoint_id"),
    /** Which of the endpoint's secrets verified it. */
    secret: text("secret", { enum: ["current", "previous"] }),
    /** Why the signature was not verified; null when it was. */
    fault: text("fault"),
    createdAt: moment("created_at").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.integratorId, table.id] }),
    foreignKey({
      name: "inbox_notifications_inbox",
      columns: [table.integratorId],
      foreignColumns: [sandboxInboxes.integratorId],
    }),
    index("inbox_notifications_age").on(table.createdAt),
    check("inbox_notifications_secret", sql`${table.secret} in ('current', 'previous')`),
    check(
      "inbox_notifications_verdict",
      sql`(${table.secret} is null) <> (${table.fault} is null) and (${table.secret} is null) = (${table.endpointId} is null)`,
    ),
    // A byte that is not UTF-8 becomes U+FFFD, which takes three.
    check("inbox_notifications_size", sql`octet_length(${table.body}) <= 3 * 65536`),
  ],
);
