import { z } from "zod";
import { logSafe } from "#lib/base/log-safe.ts";
import { VIEW_LISTS } from "#db/schema/view-rules.ts";

export const viewList = logSafe(
  z.enum(VIEW_LISTS, `This field must be one of ${VIEW_LISTS.join(", ")}.`),
).describe("The list of the dashboard that it is a view of.");

export const viewSchema = z
  .strictObject({
    id: logSafe(z.uuid()),
    list: viewList,
    name: z.string().describe("What the view is called."),
    query: z
      .string()
      .describe("Filters, columns, order, and density: what follows the ? in the list's address."),
    shared: logSafe(z.boolean()).describe(
      "Whether all staff see the view; otherwise only its maker does.",
    ),
    is_mine: logSafe(z.boolean()).describe("Whether you made the view."),
    created_by: z.string().describe("The name of the person who made the view."),
    created_at: logSafe(z.iso.datetime()),
    updated_at: logSafe(z.iso.datetime()),
  })
  .meta({ id: "SavedView" });
