import { z } from "zod";
import { cursor, email, limit, page, text } from "#lib/api/contract/fields.ts";
import { userSchema, USER } from "#lib/api/contract/cardholder.ts";
import { logSafe } from "#lib/base/log-safe.ts";
import { order, periodFilter } from "#lib/api/contract/filters.ts";
import { operation } from "#lib/operations/operation.ts";

export const listUsers = operation({
  id: "listUsers",
  method: "GET",
  path: "/card-integrators/card-users",
  summary: "List cardholders, newest first",
  description:
    "Page by number or by cursor, with the total of what matches. A cursor is as fast on every page.",
  kind: "read",
  scope: "cards:read",
  query: z.strictObject({
    limit,
    page,
    cursor: cursor.optional(),
    search: text()
      .optional()
      .describe(
        "Words in any order, each part of a name or of the email. Case and accents do not matter.",
      ),
    email: email.optional().describe("A whole email, in any case."),
    archived: z
      .enum(["true", "false"])
      .transform((given) => given === "true")
      .optional()
      .describe("Only archived cardholders, or only others. Omit it for all."),
    ...periodFilter,
    order,
  }),
  answer: z.strictObject({
    data: z.array(userSchema),
    page: logSafe(z.int()),
    total: logSafe(z.int()).describe("How many cardholders match in all."),
    total_pages: logSafe(z.int()).describe("How many pages they fill."),
    next_cursor: z.string().nullable(),
  }),
  examples: [
    {
      query: { search: "i", limit: "15" },
      answer: { data: [USER], page: 1, total: 1, total_pages: 1, next_cursor: null },
    },
  ],
});
