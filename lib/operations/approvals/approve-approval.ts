import { z } from "zod";
import { approvalSchema } from "#lib/api/contract/approval.ts";
import { IDS } from "#lib/api/contract/samples.ts";
import { toEnded } from "#lib/operations/approvals/samples.ts";
import { operation } from "#lib/operations/operation.ts";

export const approveApproval = operation({
  id: "approveApproval",
  method: "POST",
  path: "/approvals/{id}/approve",
  summary: "Approve a request, which performs it",
  description:
    "Performs it for its requester, with the rights that they have now and its idempotency key. If it is refused, nothing is decided. Nobody approves their own request, or one of a key that they made.",
  attempt: "approve a request",
  kind: "write",
  scope: "funds:approve",
  staffOnly: true,
  notFound: "approval_not_found",
  answer: z.strictObject({ data: approvalSchema }),
  errors: [
    "approval_decided",
    "approval_own",
    "approval_outdated",
    "requester_insufficient",
    "card_closed",
    "card_expired",
    "card_replaced",
    "freeze_not_liftable",
    "single_use_spent",
    "user_archived",
    "user_erased",
    "insufficient_float",
    "insufficient_card_balance",
    "balance_limit_exceeded",
    "books_unbalanced",
    "clock_advancing",
    "api_key_inactive",
    "staff_not_found",
    "email_already_registered",
  ],
  examples: [{ id: IDS.approval, answer: { data: toEnded("approved") } }],
});
