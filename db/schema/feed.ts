import { sql } from "drizzle-orm";
import { check, pgTable, smallint } from "drizzle-orm/pg-core";
import { xid8 } from "./columns.ts";

/**
 * Two rows that each name the transaction that wrote them, renewed at every start. If the rows' own `xmin`
 * differs, a restore wrote them again and `xid` is an id of another cluster. See `db/feed-order.ts`.
 */
export const feedMarks = pgTable(
  "feed_marks",
  {
    id: smallint("id").primaryKey(),
    xid: xid8("xid").notNull(),
  },
  (table) => [check("feed_marks_two", sql`${table.id} in (1, 2)`)],
);
