import { z } from "zod";
import { operation } from "#lib/operations/operation.ts";
import { FLOAT } from "#lib/api/contract/float.ts";
import { REQUEST_ID } from "#lib/api/contract/samples.ts";

/** How far a request has come. */
const KEY_STATES = [
  "unknown",
  "in_progress",
  "waiting_for_approval",
  "completed",
  "expired",
] as const;

const keyedRequestSchema = z
  .strictObject({
    key: z.string().describe("The Idempotency-Key that was asked for."),
    state: z
      .enum(KEY_STATES)
      .describe(
        "unknown: no request with this key has changed anything. in_progress: one is running now. waiting_for_approval: somebody else must approve it. completed: it was answered. expired: it moved funds, and its answer is no longer stored.",
      ),
    operation: z
      .string()
      .nullable()
      .describe("The operation that was called; null unless it was answered."),
    status: z
      .int()
      .nullable()
      .describe("The HTTP status of the first answer; null unless it was answered."),
    body: z
      .unknown()
      .describe(
        "The body of the first answer; null if it contained a secret, if it was erased with a cardholder, or if the caller lacks the scope of the operation.",
      ),
    request_id: z
      .string()
      .nullable()
      .describe("The X-Request-Id of the first answer; null unless it was answered."),
    completed_at: z.iso
      .datetime()
      .nullable()
      .describe("When it was answered; null unless it was answered."),
  })
  .meta({ id: "KeyedRequest" });

export const getIdempotencyKey = operation({
  id: "getIdempotencyKey",
  method: "GET",
  path: "/idempotency-keys/{key}",
  summary: "Get what became of a request by its idempotency key, without sending it again",
  description:
    "Ask for the key of a request whose answer was lost. The request is not sent again. Any credential of the account may ask.",
  kind: "read",
  scope: null,
  answer: z.strictObject({ data: keyedRequestSchema }),
  examples: [
    {
      needs: "stored response",
      id: "top-up-4711",
      answer: {
        data: {
          key: "top-up-4711",
          state: "completed",
          operation: "topUpFloat",
          status: 200,
          body: { message: "Balance updated successfully", data: FLOAT },
          request_id: REQUEST_ID,
          completed_at: FLOAT.updated_at,
        },
      },
    },
  ],
});
