import { z } from "zod";
import { operation } from "#lib/operations/operation.ts";
import { endpointId } from "#lib/operations/webhooks/parts.ts";
import { SECRET } from "#lib/operations/webhooks/samples.ts";

export const revealWebhookSecret = operation({
  id: "revealWebhookSecret",
  method: "POST",
  path: "/webhooks/reveal-secret",
  summary: "Reveal the signing secret; owners only",
  description: "Recorded in the audit log.",
  attempt: "reveal the signing secret",
  kind: "write",
  scope: "webhooks:write",
  staffOnly: true,
  ownerOnly: true,
  fresh: true,
  secret: true,
  body: z.strictObject({ endpoint_id: endpointId }),
  answer: z.strictObject({
    data: z.strictObject({
      secret: z.string().describe("The secret that signs now, such as whsec_…, for your verifier."),
    }),
  }),
  errors: ["endpoint_not_found", "role_insufficient"],
  examples: [{ answer: { data: { secret: SECRET } } }],
});
