import { z } from "zod";
import { apiKeySchema } from "#lib/api/contract/api-key.ts";
import { IDS } from "#lib/api/contract/samples.ts";
import { API_KEY, AT } from "#lib/operations/access/samples.ts";
import { operation } from "#lib/operations/operation.ts";

export const exemptApiKey = operation({
  id: "exemptApiKey",
  method: "POST",
  path: "/api-keys/{id}/exempt",
  summary: "Exempt an API key from approvals",
  description: "Somebody else must approve it.",
  attempt: "exempt an API key from approvals",
  kind: "write",
  scope: "keys:manage",
  approval: "trust",
  staffOnly: true,
  fresh: true,
  notFound: "api_key_not_found",
  errors: ["api_key_inactive"],
  answer: z.strictObject({ data: apiKeySchema }),
  examples: [{ id: IDS.apiKey, answer: { data: { ...API_KEY, exempted_at: AT } } }],
});
