import { z } from "zod";
import { id, time } from "#lib/api/contract/internal/answer-members.ts";

export const apiKeySchema = z
  .strictObject({
    id,
    name: z.string().describe("What the key is called, as its creator named it."),
    prefix: z.string().describe("How the key begins."),
    suffix: z.string(),
    scopes: z.array(z.string()),
    expires_at: time.nullable().describe("When the key stops working; null if it does not expire."),
    created_by: z.string().describe("The name of who created the key."),
    created_at: time,
    last_used_at: time
      .nullable()
      .describe("When the key was last used, to within a few minutes; null if it never was."),
    revoked_at: time.nullable().describe("When the key was revoked; null while it is not."),
    exempted_at: time
      .nullable()
      .describe("When a second person exempted the key from approvals; null if nobody did."),
  })
  .meta({ id: "ApiKey" });
