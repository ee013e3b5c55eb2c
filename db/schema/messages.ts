import { sql } from "drizzle-orm";
import {
  boolean,
  check,
  foreignKey,
  index,
  integer,
  pgTable,
  primaryKey,
  smallint,
  text,
  uuid,
} from "drizzle-orm/pg-core";
import { isNamed, moment, NOW } from "./columns.ts";
import { integratorId } from "./integrators.ts";
import { staff } from "./staff.ts";

/**
 * Mail to one person, written in the transaction of what it reports. While it waits, `due_at` is when it may be claimed next:
 * at the next attempt, or, while a worker holds a claim, when that claim expires. `attempts` counts claims and so
 * distinguishes them; `failures` is the progress of the retries.
 */
export const messages = pgTable(
  "messages",
  {
    integratorId: integratorId(),
    id: uuid("id").notNull(),
    kind: text("kind").notNull(),
    /** Null for somebody who is not on the staff yet. */
    staffId: uuid("staff_id"),
    email: text("email").notNull(),
    /** The record that it is about, by which it can be withdrawn; null for the account itself. */
    aboutId: uuid("about_id"),
    /** Its subject and text, encrypted. Null once it was sent, has failed, or was withdrawn. */
    content: text("content"),
    /** `kept` when there is no mail server to send it through. */
    state: text("state", { enum: ["waiting", "sent", "failed", "kept", "withdrawn"] })
      .notNull()
      .default("waiting"),
    dueAt: moment("due_at").notNull().default(NOW),
    /** Whether a worker is sending it, or died doing so. */
    isClaimed: boolean("is_claimed").notNull().default(false),
    attempts: integer("attempts").notNull().default(0),
    failures: smallint("failures").notNull().default(0),
    lastFailure: text("last_failure", { enum: ["unreachable", "deferred", "refused"] }),
    /** What the mail server answered to the last attempt that failed. */
    lastAnswer: text("last_answer"),
    sentAt: moment("sent_at"),
    createdAt: moment("created_at").notNull().default(NOW),
  },
  (table) => [
    primaryKey({ columns: [table.integratorId, table.id] }),
    index("messages_due")
      .on(table.dueAt)
      .where(sql`${table.state} = 'waiting'`),
    index("messages_failed")
      .on(table.createdAt)
      .where(sql`${table.state} = 'failed'`),
    index("messages_about").on(table.integratorId, table.aboutId).where(isNamed(table.aboutId)),
    index("messages_age").on(table.createdAt),
    foreignKey({
      name: "messages_staff",
      columns: [table.integratorId, table.staffId],
      foreignColumns: [staff.integratorId, staff.id],
    }),
    check(
      "messages_state",
      sql`${table.state} in ('waiting', 'sent', 'failed', 'kept', 'withdrawn')`,
    ),
    check("messages_content", sql`${table.content} is not null or ${table.state} <> 'waiting'`),
    check("messages_sent", sql`(${table.state} = 'sent') = (${table.sentAt} is not null)`),
    check("messages_counts", sql`${table.attempts} >= 0 and ${table.failures} >= 0`),
  ],
);
