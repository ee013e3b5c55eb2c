import { sql } from "drizzle-orm";
import {
  check,
  foreignKey,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  uuid,
} from "drizzle-orm/pg-core";
import { moment, money, NOW, toList } from "./columns.ts";
import type { StoredActor } from "./columns.ts";
import { integratorId } from "./integrators.ts";
import { staff } from "./staff.ts";

export const APPROVAL_STATES = ["waiting", "approved", "rejected", "canceled", "expired"] as const;

/** The condition of what waits. Indexes and queries must use exactly this text. */
export const IS_WAITING = sql.raw("status = 'waiting'");

/**
 * Requests by one person that take effect when another one approves them. A row changes once, when it is decided, and
 * is never deleted. After that, only an erasure changes it: it removes the request and the comment, which may name a
 * cardholder.
 */
export const approvals = pgTable(
  "approvals",
  {
    integratorId: integratorId(),
    id: uuid("id").notNull(),
    status: text("status", { enum: APPROVAL_STATES }).notNull().default("waiting"),
    /** The id of the requested operation, and the record in its path. */
    operation: text("operation").notNull(),
    targetId: uuid("target_id"),
    /** The body as it was sent, with each amount fixed. Null without one, and once it is erased. */
    request: jsonb("request").$type<Readonly<Record<string, unknown>>>(),
    /** The card that it affects; null for several, and for none. */
    cardId: uuid("card_id"),
    /** How many cards it affects. */
    cards: integer("cards").notNull(),
    /** What it moves, in minor units; null if it moves nothing. */
    amount: money("amount"),
    /** The person who asked, or who made the key that asked. */
    requesterId: uuid("requester_id").notNull(),
    requestedBy: jsonb("requested_by").$type<StoredActor>().notNull(),
    /** The hash of the request's idempotency key (`toIdempotencyName`). */
    idempotencyKey: text("idempotency_key"),
    requestId: text("request_id").notNull(),
    createdAt: moment("created_at").notNull().default(NOW),
    expiresAt: moment("expires_at").notNull(),
    /** The person who decided. Null while it waits, and for one that expired or was erased. */
    deciderId: uuid("decider_id"),
    decidedBy: jsonb("decided_by").$type<StoredActor>(),
    decidedAt: moment("decided_at"),
    /** Why it was rejected. */
    comment: text("comment"),
  },
  (table) => [
    primaryKey({ columns: [table.integratorId, table.id] }),
    index("approvals_waiting").on(table.expiresAt).where(IS_WAITING),
    index("approvals_waiting_own").on(table.integratorId, table.id).where(IS_WAITING),
    foreignKey({
      name: "approvals_requester",
      columns: [table.integratorId, table.requesterId],
      foreignColumns: [staff.integratorId, staff.id],
    }),
    foreignKey({
      name: "approvals_decider",
      columns: [table.integratorId, table.deciderId],
      foreignColumns: [staff.integratorId, staff.id],
    }),
    check("approvals_status", sql`${table.status} in ${toList(APPROVAL_STATES)}`),
    check(
      "approvals_two_people",
      sql`${table.status} not in ('approved', 'rejected') or (${table.deciderId} is not null and ${table.deciderId} <> ${table.requesterId})`,
    ),
    check(
      "approvals_own_end",
      sql`${table.status} in ('approved', 'rejected') or ${table.deciderId} is null or (${table.status} = 'canceled' and ${table.deciderId} = ${table.requesterId})`,
    ),
    check(
      "approvals_decided",
      sql`(${table.status} = 'waiting') = (${table.decidedAt} is null) and (${table.deciderId} is null) = (${table.decidedBy} is null)`,
    ),
    check("approvals_comment", sql`${table.comment} is null or ${table.status} = 'rejected'`),
    check("approvals_amount", sql`${table.amount} between 1 and 9007199254740991`),
    check(
      "approvals_cards",
      sql`${table.cards} >= 0 and (${table.cardId} is null or ${table.cards} = 1)`,
    ),
  ],
);

/**
 * Amounts that people moved without approval while their account required it above a threshold. Moves of the last 24
 * hours count toward the threshold.
 */
export const unapprovedMoves = pgTable(
  "unapproved_moves",
  {
    integratorId: integratorId(),
    id: uuid("id").notNull(),
    staffId: uuid("staff_id").notNull(),
    amount: money("amount").notNull(),
    createdAt: moment("created_at").notNull().default(NOW),
  },
  (table) => [
    primaryKey({ columns: [table.integratorId, table.id] }),
    index("unapproved_moves_person").on(table.integratorId, table.staffId, table.createdAt),
    index("unapproved_moves_age").on(table.createdAt),
    foreignKey({
      name: "unapproved_moves_staff",
      columns: [table.integratorId, table.staffId],
      foreignColumns: [staff.integratorId, staff.id],
    }),
    check("unapproved_moves_amount", sql`${table.amount} between 1 and 9007199254740991`),
  ],
);
