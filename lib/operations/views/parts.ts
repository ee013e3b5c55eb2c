import { z } from "zod";
import { text } from "#lib/api/contract/fields.ts";
import { logSafe } from "#lib/base/log-safe.ts";
import { viewCan } from "#lib/views/view-can.ts";
import { VIEW_NAME_MAX, VIEW_QUERY_MAX } from "#db/schema/view-rules.ts";

/** Parameters of a URL that do not belong to a view: the page, and the open record. */
const PASSING_MEMBERS = ["cursor", "open"] as const;

/** The members of a view that a request sets. */
export const VIEW_MEMBERS = {
  name: text(VIEW_NAME_MAX).describe(
    "What to call the view. In each list, your own views have different names, and so have the shared ones, whatever their case.",
  ),
  query: z
    .string()
    .max(VIEW_QUERY_MAX, `This field must be at most ${VIEW_QUERY_MAX} characters long.`)
    .regex(/^(?!\?)/u, "This field must be what follows the ?, without it.")
    .check(({ value, issues }) => {
      const members = new URLSearchParams(value);
      for (const member of PASSING_MEMBERS.filter((each) => members.has(each))) {
        const message = `A view cannot have the member ${member}.`;
        issues.push({ code: "custom", input: value, message });
      }
    })
    .describe(
      "Filters, columns, order, and density: what follows the ? in the list's address, without cursor and open. Members that the list does not know have no effect.",
    ),
  shared: logSafe(z.boolean()).describe(
    `Whether to share the view with all staff of the account. ${viewCan.share("viewer")}`,
  ),
} as const;
