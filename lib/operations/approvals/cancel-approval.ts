import { z } from "zod";
import { approvalSchema } from "#lib/api/contract/approval.ts";
import { IDS } from "#lib/api/contract/samples.ts";
import { toEnded } from "#lib/operations/approvals/samples.ts";
import { operation } from "#lib/operations/operation.ts";

export const cancelApproval = operation({
  id: "cancelApproval",
  method: "POST",
  path: "/approvals/{id}/cancel",
  summary: "Cancel your own request",
  description: "For the person or the API key that asked for it.",
  attempt: "cancel a request",
  kind: "write",
  scope: "funds:write",
  notFound: "approval_not_found",
  answer: z.strictObject({ data: approvalSchema }),
  errors: ["approval_decided", "role_insufficient"],
  examples: [{ id: IDS.approval, answer: { data: toEnded("canceled") } }],
});
