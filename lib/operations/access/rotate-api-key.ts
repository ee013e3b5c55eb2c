import { z } from "zod";
import { apiKeySchema } from "#lib/api/contract/api-key.ts";
import { IDS } from "#lib/api/contract/samples.ts";
import { API_KEY } from "#lib/operations/access/samples.ts";
import { operation } from "#lib/operations/operation.ts";

const OVERLAP_DAYS = { min: 0, max: 30 };

export const rotateApiKey = operation({
  id: "rotateApiKey",
  method: "POST",
  path: "/api-keys/{id}/rotate",
  summary: "Replace an API key by a new one; the new key is shown only once",
  description:
    "The new key has the same name and scopes, and lives as long as the old one was made to live. Switch over while both work: the old one stops after overlap_days, or at its own expiry if that is earlier.",
  attempt: "rotate an API key",
  kind: "write",
  scope: "keys:manage",
  staffOnly: true,
  fresh: true,
  secret: true,
  notFound: "api_key_not_found",
  body: z.strictObject({
    overlap_days: z
      .int("This field must be a whole number of days.")
      .min(OVERLAP_DAYS.min, `This field must be at least ${OVERLAP_DAYS.min}.`)
      .max(OVERLAP_DAYS.max, `This field must be at most ${OVERLAP_DAYS.max}.`)
      .default(1)
      .describe("For how many days the old key still works; with 0, it is revoked at once."),
  }),
  errors: ["api_key_inactive", "role_insufficient"],
  status: 201,
  answer: z.strictObject({
    data: apiKeySchema,
    api_key: z.string().describe("The new key itself, which is shown only here."),
  }),
  examples: [
    {
      id: IDS.apiKey,
      body: { overlap_days: 7 },
      answer: {
        data: { ...API_KEY, id: IDS.entry },
        api_key: "fd_test_3q2cJq0m9v5tq7B8kY1zX4wN6sR2hL0p",
      },
    },
  ],
});
