import { sql } from "drizzle-orm";
import { bigint, check, pgTable, primaryKey, smallint, text } from "drizzle-orm/pg-core";
import { counter, moment, money, xid8 } from "./columns.ts";
import { integratorId } from "./integrators.ts";

/**
 * Sums of the transfers below the rollup checkpoint, by quarter of an hour and kind: every time zone's days begin
 * with one. Written only by the rollup (`lib/overview/rollup.ts`), so no transaction that moves money waits for them.
 */
export const transferRollups = pgTable(
  "transfer_rollups",
  {
    integratorId: integratorId(),
    quarter: moment("quarter").notNull(),
    kind: text("kind").notNull(),
    amount: money("amount").notNull(),
  },
  (table) => [primaryKey({ columns: [table.integratorId, table.quarter, table.kind] })],
);

/**
 * What was spent in a quarter of an hour, and in a day in UTC, by the merchants' category and country: a period in
 * any time zone consists of such days, plus quarter-hours at its two ends. Written only by the rollup, as
 * `transfer_rollups` is.
 */
export const spendRollups = pgTable(
  "spend_rollups",
  {
    integratorId: integratorId(),
    span: text("span", { enum: ["quarter", "day"] }).notNull(),
    start: moment("start").notNull(),
    category: text("category").notNull(),
    country: text("country").notNull(),
    purchased: money("purchased").notNull(),
    refunded: money("refunded").notNull(),
    /** The number of purchases and refunds. */
    transactions: counter("transactions").notNull(),
  },
  (table) => [
    primaryKey({
      columns: [table.integratorId, table.span, table.start, table.category, table.country],
    }),
    check("spend_rollups_span", sql`${table.span} in ('quarter', 'day')`),
  ],
);

/** The number of cards in each status, as of the rollup checkpoint. */
export const cardRollups = pgTable(
  "card_rollups",
  {
    integratorId: integratorId(),
    status: text("status").notNull(),
    cards: bigint("cards", { mode: "number" }).notNull(),
  },
  (table) => [primaryKey({ columns: [table.integratorId, table.status] })],
);

/** The rollups contain everything below `xid`, and nothing from it on. One row. */
export const rollupCheckpoints = pgTable(
  "rollup_checkpoints",
  {
    id: smallint("id").primaryKey().default(1),
    xid: xid8("xid").notNull(),
  },
  (table) => [check("rollup_checkpoints_single", sql`${table.id} = 1`)],
);
