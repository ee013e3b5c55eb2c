import { z } from "zod";
import { invitedRole, linkExpiry, linkKind } from "#lib/api/contract/staff.ts";
import { operation } from "#lib/operations/operation.ts";
import { token } from "#lib/operations/staff/parts.ts";
import { LINK, TOKEN } from "#lib/operations/staff/samples.ts";

export const readLink = operation({
  id: "readLink",
  method: "POST",
  path: "/staff/links/read",
  summary: "Get what an invitation or password link is for",
  description: "The link itself is the credential. Reading it does not use it up.",
  kind: "public",
  scope: null,
  body: z.strictObject({ token }),
  answer: z.strictObject({
    kind: linkKind,
    email: z.string(),
    role: invitedRole,
    business_name: z.string(),
    expires_at: linkExpiry,
  }),
  errors: ["link_not_found", "rate_limited", "database_unavailable"],
  examples: [
    {
      needs: "invitation",
      body: { token: TOKEN },
      answer: {
        kind: "invitation",
        email: "noor@northwind.example",
        role: "viewer",
        business_name: "Northwind",
        expires_at: LINK.expires_at,
      },
    },
  ],
});
