import { z } from "zod";
import { apiKeySchema } from "#lib/api/contract/api-key.ts";
import { API_KEY, AT } from "#lib/operations/access/samples.ts";
import { operation } from "#lib/operations/operation.ts";
import { IDS } from "#lib/api/contract/samples.ts";

export const revokeApiKey = operation({
  id: "revokeApiKey",
  method: "DELETE",
  path: "/api-keys/{id}",
  summary: "Revoke an API key; it stops working everywhere within five seconds",
  description: "Final.",
  attempt: "revoke an API key",
  kind: "write",
  scope: "keys:manage",
  staffOnly: true,
  notFound: "api_key_not_found",
  answer: z.strictObject({ data: apiKeySchema }),
  examples: [{ id: IDS.apiKey, answer: { data: { ...API_KEY, revoked_at: AT } } }],
});
