import { z } from "zod";
import { operation } from "#lib/operations/operation.ts";
import { IDS } from "#lib/api/contract/samples.ts";

const time = z.iso.datetime();

const deprecatedCallsSchema = z.strictObject({
  api_key: z
    .strictObject({
      id: z.uuid(),
      name: z.string().describe("What the key is called."),
      suffix: z.string(),
      revoked: z.boolean().describe("Whether the key has been revoked."),
    })
    .describe("The key that called the operation."),
  moved: z.boolean().describe("Whether the key has not called the operation for 30 days."),
  calls: z
    .array(
      z.strictObject({
        date: z.iso.date().describe("The day, in UTC."),
        calls: z.int().describe("How many calls there were on that day."),
      }),
    )
    .describe("Calls on each of the last 30 UTC days, oldest first."),
  first_called_at: time.describe("When the key called the operation for the first time."),
  last_called_at: time.describe("When the key called the operation last."),
});

const deprecatedOperationSchema = z
  .strictObject({
    operation: z.string().describe("The deprecated operation, by its operationId."),
    method: z.string(),
    path: z.string().describe("The path of the operation, from /api on."),
    deprecated_in: z.string().describe("The API version from which it is deprecated."),
    deprecated_at: time.describe("Since when the operation is deprecated."),
    sunset_at: time
      .nullable()
      .describe("When the operation stops working; null until that is decided."),
    replacement: z
      .strictObject({
        method: z.string(),
        path: z.string().describe("The path to call instead, from /api on."),
        body: z.unknown().describe("An example of the body, with a card of yours if there is one."),
      })
      .describe("What to call instead."),
    keys: z
      .array(deprecatedCallsSchema)
      .describe("The keys that have called it; empty if none has."),
  })
  .meta({ id: "DeprecatedOperation" });

export const listDeprecations = operation({
  id: "listDeprecations",
  method: "GET",
  path: "/deprecations",
  summary: "List deprecated operations, and which API keys still call them",
  description: "Every deprecated operation, also one that no key has called.",
  kind: "read",
  scope: "account:read",
  answer: z.strictObject({ data: z.array(deprecatedOperationSchema) }),
  examples: [
    {
      answer: {
        data: [
          {
            operation: "topUpCard",
            method: "PATCH",
            path: "/api/cards/top-up",
            deprecated_in: "0.5.0",
            deprecated_at: "2026-01-01T00:00:00.000Z",
            sunset_at: null,
            replacement: {
              method: "PATCH",
              path: "/api/cards/credit/balance",
              body: { card_id: IDS.card, amount: 2_000 },
            },
            keys: [],
          },
        ],
      },
    },
  ],
});
