import { sql } from "drizzle-orm";
import { check, pgTable, text, uuid } from "drizzle-orm/pg-core";
import { moment, NOW } from "./columns.ts";

/**
 * The running processes of the installation, each with a heartbeat every two seconds: servers share the rate limits, and
 * a secret is not retired while one of them seals with it.
 */
export const processes = pgTable(
  "processes",
  {
    id: uuid("id").primaryKey(),
    kind: text("kind", { enum: ["server", "worker", "command"] }).notNull(),
    /** Identifies the secrets that it was started with, as in `installation`; it seals with the first. */
    secretChecks: text("secret_checks").array().notNull(),
    seenAt: moment("seen_at").notNull().default(NOW),
  },
  (table) => [
    check("processes_kind", sql`${table.kind} in ('server', 'worker', 'command')`),
    check("processes_secrets", sql`cardinality(${table.secretChecks}) > 0`),
  ],
);
