import { z } from "zod";
import { linkSchema } from "#lib/api/contract/staff.ts";
import { operation } from "#lib/operations/operation.ts";
import { IDS } from "#lib/api/contract/samples.ts";
import { LINK } from "#lib/operations/staff/samples.ts";

export const revokeInvitation = operation({
  id: "revokeInvitation",
  method: "DELETE",
  path: "/staff/invitations/{id}",
  summary: "Revoke an invitation",
  description: "The link stops working.",
  attempt: "revoke an invitation",
  kind: "write",
  scope: "staff:manage",
  staffOnly: true,
  fresh: true,
  notFound: "link_not_found",
  answer: z.strictObject({ data: linkSchema }),
  examples: [{ id: IDS.invitation, answer: { data: LINK } }],
});
