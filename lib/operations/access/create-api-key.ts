import { z } from "zod";
import { text } from "#lib/api/contract/fields.ts";
import { apiKeySchema } from "#lib/api/contract/api-key.ts";
import { KEY_SCOPES } from "#lib/base/actor.ts";
import { API_KEY } from "#lib/operations/access/samples.ts";
import { operation } from "#lib/operations/operation.ts";

const KEY_DAYS_MAX = 1_825;

export const createApiKey = operation({
  id: "createApiKey",
  method: "POST",
  path: "/api-keys",
  summary: "Create an API key; the key is shown only once",
  description: "The key itself is in api_key, and nowhere else: store it before you go on.",
  attempt: "create an API key",
  kind: "write",
  scope: "keys:manage",
  staffOnly: true,
  fresh: true,
  secret: true,
  body: z.strictObject({
    name: text(100).describe("What to call the key, so that you recognize it later."),
    scopes: z
      .array(z.enum(KEY_SCOPES, `Each scope must be one of ${KEY_SCOPES.join(", ")}.`))
      .min(1, "This field must contain at least one scope.")
      .max(KEY_SCOPES.length, "This field must name each scope once."),
    expires_in_days: z
      .int("This field must be a whole number of days.")
      .min(1, "This field must be at least 1.")
      .max(KEY_DAYS_MAX, `This field must be at most ${KEY_DAYS_MAX}.`)
      .nullable()
      .default(null)
      .describe("In how many days the key stops working; null for never."),
  }),
  errors: ["role_insufficient"],
  status: 201,
  answer: z.strictObject({
    data: apiKeySchema,
    api_key: z.string().describe("The key itself, which is shown only here."),
  }),
  examples: [
    {
      body: { name: "First key", scopes: ["cards:read", "cards:write"] },
      answer: { data: API_KEY, api_key: "fd_test_3q2cJq0m9v5tq7B8kY1zX4wN6sR2hL0p" },
    },
  ],
});
