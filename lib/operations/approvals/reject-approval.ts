import { z } from "zod";
import { approvalSchema } from "#lib/api/contract/approval.ts";
import { optionalVerbatim } from "#lib/api/contract/fields.ts";
import { IDS } from "#lib/api/contract/samples.ts";
import { toEnded } from "#lib/operations/approvals/samples.ts";
import { operation } from "#lib/operations/operation.ts";

export const rejectApproval = operation({
  id: "rejectApproval",
  method: "POST",
  path: "/approvals/{id}/reject",
  summary: "Reject a request",
  description: "It never takes effect.",
  attempt: "reject a request",
  kind: "write",
  scope: "funds:approve",
  staffOnly: true,
  notFound: "approval_not_found",
  body: z.strictObject({ comment: optionalVerbatim.describe("Why, at most 255 characters.") }),
  answer: z.strictObject({ data: approvalSchema }),
  errors: ["approval_decided", "approval_own"],
  examples: [
    {
      id: IDS.approval,
      body: { comment: "Which order is this for?" },
      answer: { data: toEnded("rejected", "Which order is this for?") },
    },
  ],
});
