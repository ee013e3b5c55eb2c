import { z } from "zod";
import { apiKeySchema } from "#lib/api/contract/api-key.ts";
import { API_KEY } from "#lib/operations/access/samples.ts";
import { operation } from "#lib/operations/operation.ts";

export const listApiKeys = operation({
  id: "listApiKeys",
  method: "GET",
  path: "/api-keys",
  summary: "List API keys, without the secret keys",
  description: "Revoked and expired keys too.",
  kind: "read",
  scope: "keys:manage",
  staffOnly: true,
  answer: z.strictObject({ data: z.array(apiKeySchema) }),
  examples: [{ answer: { data: [API_KEY] } }],
});
