import { sql } from "drizzle-orm";
import {
  boolean,
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
import { counter, moment, money, NOW, toList } from "./columns.ts";
import type { StoredFreeze } from "./cards.ts";
import type { StoredActor } from "./columns.ts";
import { FREEZE_LEVELS } from "./freeze-reasons.ts";
import type { FREEZE_REASONS } from "./freeze-reasons.ts";
import { integratorId } from "./integrators.ts";
import type { SpendingControls } from "./spending-controls.ts";

/** What a bulk job does to each of its cards. */
export const BULK_OPERATIONS = [
  "freeze",
  "unfreeze",
  "close",
  "credit",
  "debit",
  "set_spending_controls",
] as const;

/** Each item independently, or all items in one transaction. */
export const BULK_MODES = ["each", "all_or_nothing"] as const;

export const BULK_STATES = ["running", "completed", "canceled"] as const;

/** How an item ends. `unchanged`: the card was so already. `canceled`: it was not tried, or not kept. */
export const END_STATES = ["done", "unchanged", "refused", "canceled"] as const;

export const ITEM_STATES = ["waiting", ...END_STATES] as const;

/** How items are to be done. The comment is removed with the last of them: it may name a cardholder. */
export interface BulkTerms {
  reason: (typeof FREEZE_REASONS)[number] | null;
  comment: string | null;
  /** Null for an unfreeze of all levels, and for an operation without a level. */
  level: (typeof FREEZE_LEVELS)[number] | null;
  /** The end of freezes, in RFC 3339. */
  until: string | null;
  /** The cards' new spending controls. Null for those of the account, and for an operation that sets none. */
  spending_controls: SpendingControls | null;
  /** The levels whose freezes the caller may lift, and those at which the caller may make them. */
  may_lift: readonly (typeof FREEZE_LEVELS)[number][];
  may_set: readonly (typeof FREEZE_LEVELS)[number][];
}

/** The freezes of the levels that an item changed, as they were before; null at a level without one. */
export type ReplacedFreezes = Partial<Record<(typeof FREEZE_LEVELS)[number], StoredFreeze | null>>;

/** A card's own spending controls before and after a change; null stands for those of the account. */
export interface ControlsChange {
  from: SpendingControls | null;
  to: SpendingControls | null;
}

/** A request to do the same to many cards, and its progress. */
export const bulkJobs = pgTable(
  "bulk_jobs",
  {
    integratorId: integratorId(),
    id: uuid("id").notNull(),
    operation: text("operation", { enum: BULK_OPERATIONS }).notNull(),
    mode: text("mode", { enum: BULK_MODES }).notNull(),
    /** The job that this one undoes; null for any other. */
    undoes: uuid("undoes"),
    /** Whether items are only decided, without changing anything. */
    isCheck: boolean("is_check").notNull(),
    state: text("state", { enum: BULK_STATES }).notNull().default("running"),
    terms: jsonb("terms").$type<BulkTerms>().notNull(),
    total: integer("total").notNull(),
    done: integer("done").notNull().default(0),
    unchanged: integer("unchanged").notNull().default(0),
    refused: integer("refused").notNull().default(0),
    canceled: integer("canceled").notNull().default(0),
    /** The sum that the finished items have moved, in minor units. */
    amount: money("amount").notNull().default(0),
    actor: jsonb("actor").$type<StoredActor>().notNull(),
    requestId: text("request_id").notNull(),
    address: text("address"),
    agent: text("agent"),
    createdAt: moment("created_at").notNull().default(NOW),
    endedAt: moment("ended_at"),
  },
  (table) => [
    primaryKey({ columns: [table.integratorId, table.id] }),
    index("bulk_jobs_age").on(table.createdAt),
    index("bulk_jobs_running")
      .on(table.id)
      .where(sql`state = 'running'`),
    check("bulk_jobs_operation", sql`${table.operation} in ${toList(BULK_OPERATIONS)}`),
    check("bulk_jobs_mode", sql`${table.mode} in ${toList(BULK_MODES)}`),
    check("bulk_jobs_state", sql`${table.state} in ${toList(BULK_STATES)}`),
    check("bulk_jobs_ended", sql`(${table.state} = 'running') = (${table.endedAt} is null)`),
    check(
      "bulk_jobs_counts",
      sql`least(${table.done}, ${table.unchanged}, ${table.refused}, ${table.canceled}) >= 0
        and (${table.total} = 0 or (${table.done} + ${table.unchanged} + ${table.refused} + ${table.canceled} < ${table.total}) = (${table.state} = 'running'))`,
    ),
  ],
);

/** The items that hold freezes, which an erasure clears. Indexes and queries must use exactly this text. */
export const HOLDS_FREEZES = sql.raw("num_nonnulls(restores, replaced) > 0");

/** The cards of a job, in order. What an item has done commits together with its state. */
export const bulkItems = pgTable(
  "bulk_items",
  {
    integratorId: uuid("integrator_id").notNull(),
    jobId: uuid("job_id").notNull(),
    position: integer("position").notNull(),
    cardId: uuid("card_id").notNull(),
    /** In minor units; null for everything available, and for an operation that moves nothing. */
    amount: money("amount"),
    /** Removed when the item ends: its transaction has it then. */
    narrative: text("narrative"),
    /**
     * The version of the card's status that the caller has seen; null if any will do. Stored as the caller sent it,
     * so it may be a number that no version of the card has. For an inverse, the version that the undone item left.
     */
    seenVersion: counter("seen_version"),
    /** The level whose freeze an inverse puts back or lifts; null for any other item. */
    level: text("level", { enum: FREEZE_LEVELS }),
    /** The freeze that an inverse puts back; null if it lifts one. Removed when the item ends. */
    restores: jsonb("restores").$type<StoredFreeze>(),
    /** What the item changed, and the version of the card's status that it left; both null if it changed no freeze. */
    replaced: jsonb("replaced").$type<ReplacedFreezes>(),
    leftVersion: integer("left_version"),
    /** The change of spending controls that an inverse makes. Removed when the item ends. */
    restoresControls: jsonb("restores_controls").$type<ControlsChange>(),
    /** The change of spending controls that the item made; null if it made none. */
    replacedControls: jsonb("replaced_controls").$type<ControlsChange>(),
    state: text("state", { enum: ITEM_STATES }).notNull().default("waiting"),
    code: text("code"),
    detail: text("detail"),
  },
  (table) => [
    primaryKey({ columns: [table.integratorId, table.jobId, table.position] }),
    index("bulk_items_state").on(table.integratorId, table.jobId, table.state, table.position),
    index("bulk_items_freezes").on(table.integratorId, table.cardId).where(HOLDS_FREEZES),
    foreignKey({
      columns: [table.integratorId, table.jobId],
      foreignColumns: [bulkJobs.integratorId, bulkJobs.id],
      name: "bulk_items_job",
    }).onDelete("cascade"),
    check("bulk_items_state", sql`${table.state} in ${toList(ITEM_STATES)}`),
    check("bulk_items_level", sql`${table.level} in ${toList(FREEZE_LEVELS)}`),
    // A release that does not know such inverses cannot end one, and so leaves it to a release that does.
    check(
      "bulk_items_restores_controls",
      sql`${table.state} = 'waiting' or ${table.restoresControls} is null`,
    ),
    check("bulk_items_code", sql`(${table.code} is null) = (${table.detail} is null)`),
  ],
);
