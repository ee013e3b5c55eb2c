import { sql } from "drizzle-orm";
import {
  boolean,
  check,
  foreignKey,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
  uuid,
} from "drizzle-orm/pg-core";
import { moment, NOW, toList } from "./columns.ts";
import { staff } from "./staff.ts";
import { VIEW_LISTS, VIEW_NAME_MAX, VIEW_QUERY_MAX } from "./view-rules.ts";

/**
 * Saved views of the dashboard's lists. One that is not shared belongs to its maker alone, and goes with them. A name is
 * unique in each list among a person's own, and among those that the account shares.
 */
export const savedViews = pgTable(
  "saved_views",
  {
    integratorId: uuid("integrator_id").notNull(),
    id: uuid("id").notNull(),
    staffId: uuid("staff_id").notNull(),
    list: text("list", { enum: VIEW_LISTS }).notNull(),
    name: text("name").notNull(),
    /** What follows the `?` in the list's address. */
    query: text("query").notNull(),
    shared: boolean("shared").notNull(),
    createdAt: moment("created_at").notNull().default(NOW),
    updatedAt: moment("updated_at").notNull().default(NOW),
  },
  (table) => [
    primaryKey({ columns: [table.integratorId, table.id] }),
    uniqueIndex("saved_views_own")
      .on(table.integratorId, table.staffId, table.list, sql`lower(${table.name})`)
      .where(sql`not ${table.shared}`),
    uniqueIndex("saved_views_shared")
      .on(table.integratorId, table.list, sql`lower(${table.name})`)
      .where(sql`${table.shared}`),
    foreignKey({
      name: "saved_views_staff",
      columns: [table.integratorId, table.staffId],
      foreignColumns: [staff.integratorId, staff.id],
    }),
    check("saved_views_list", sql`${table.list} in ${toList(VIEW_LISTS)}`),
    check("saved_views_name", sql.raw(`char_length(name) between 1 and ${VIEW_NAME_MAX}`)),
    check("saved_views_query", sql.raw(`char_length(query) <= ${VIEW_QUERY_MAX}`)),
  ],
);
