import { z } from "zod";
import { operation } from "#lib/api/contract/operation.ts";

const time = z.iso.datetime();

const deprecatedCallsSchema = z.strictObject({
  api_key: z.strictObject({
    id: z.uuid(),
    name: z.string(),
    suffix: z.string().describe("The last four characters."),
    revoked: z.boolean(),
  }),
  moved: z.boolean().describe("Whether the key has not called the operation for 30 days."),
  calls: z
    .array(z.strictObject({ date: z.iso.date(), calls: z.int() }))
    .describe("Calls on each of the last 30 UTC days, oldest first."),
  first_called_at: time,
  last_called_at: time,
});

const deprecatedOperationSchema = z
  .strictObject({
    operation: z.string(),
    method: z.string(),
    path: z.string(),
    deprecated_in: z.string().describe("The API version from which it is deprecated."),
    deprecated_at: time,
    sunset_at: time
      .nullable()
      .describe("When the operation stops working; null until that is decided."),
    replacement: z.strictObject({ method: z.string(), path: z.string(), body: z.unknown() }),
    keys: z.array(deprecatedCallsSchema),
  })
  .meta({ id: "DeprecatedOperation" });

export const listDeprecations = operation({
  id: "listDeprecations",
  method: "GET",
  path: "/deprecations",
  summary: "List deprecated operations, and which API keys still call them",
  kind: "read",
  scope: "account:read",
  answer: z.strictObject({ data: z.array(deprecatedOperationSchema) }),
});
