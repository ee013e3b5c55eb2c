import { z } from "zod";
import { operation } from "#lib/operations/operation.ts";
import { endpointId } from "#lib/operations/webhooks/parts.ts";
import { SECRET } from "#lib/operations/webhooks/samples.ts";

export const rotateWebhookSecret = operation({
  id: "rotateWebhookSecret",
  method: "POST",
  path: "/webhooks/rotate-secret",
  summary: "Rotate the signing secret; each previous one also signs for 24 hours",
  description:
    "The new secret is shown here; owners can reveal it later. Up to five previous secrets sign at once; a sixth rotation within 24 hours is refused. A member of staff must be an owner with a recent sign-in, and a key one that an owner created, or the first.",
  attempt: "rotate the signing secret",
  kind: "write",
  scope: "webhooks:write",
  ownerOnly: true,
  fresh: true,
  sealed: true,
  body: z.strictObject({ endpoint_id: endpointId }),
  answer: z.strictObject({
    data: z.strictObject({ secret: z.string().describe("The new secret that signs from now on.") }),
  }),
  errors: ["endpoint_not_found", "role_insufficient", "signing_secrets_exhausted"],
  examples: [{ answer: { data: { secret: SECRET } } }],
});
