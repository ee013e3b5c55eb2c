import { z } from "zod";
import { APPROVAL, approvalSchema, approvalStatus } from "#lib/api/contract/approval.ts";
import { cursor, idSchema, limit } from "#lib/api/contract/fields.ts";
import { oneOrMore, periodFilter } from "#lib/api/contract/filters.ts";
import { pageOf } from "#lib/api/contract/page.ts";
import { operation } from "#lib/operations/operation.ts";

export const listApprovals = operation({
  id: "listApprovals",
  method: "GET",
  path: "/approvals",
  summary: "List approvals, newest first",
  description: "Requests that take effect when a second person approves them.",
  kind: "read",
  scope: "account:read",
  query: z.strictObject({
    ...periodFilter,
    status: oneOrMore(approvalStatus.options)
      .optional()
      .describe("Only approvals in one of these states."),
    requester_id: idSchema
      .optional()
      .describe("Only what this person asked for, also with a key of theirs."),
    limit,
    cursor: cursor.optional(),
  }),
  answer: pageOf(approvalSchema),
  examples: [{ query: { status: "waiting" }, answer: { data: [APPROVAL], next_cursor: null } }],
});
