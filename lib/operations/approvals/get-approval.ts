import { z } from "zod";
import { APPROVAL, approvalSchema } from "#lib/api/contract/approval.ts";
import { IDS } from "#lib/api/contract/samples.ts";
import { operation } from "#lib/operations/operation.ts";

export const getApproval = operation({
  id: "getApproval",
  method: "GET",
  path: "/approvals/{id}",
  summary: "Get an approval",
  description: "Approvals are kept forever.",
  kind: "read",
  scope: "account:read",
  notFound: "approval_not_found",
  answer: z.strictObject({ data: approvalSchema }),
  examples: [{ id: IDS.approval, answer: { data: APPROVAL } }],
});
