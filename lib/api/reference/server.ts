import type { Entries } from "#lib/api/reference/entry.ts";
import { FLOAT, REQUEST_ID } from "#lib/api/reference/samples.ts";

export const SERVER: Entries = {
  getLiveness: {
    description: "For a supervisor that restarts a process that does not answer.",
    example: { answer: "OK" },
  },
  getReadiness: {
    description: "For a load balancer: send requests only to servers that answer 200.",
    example: { answer: { status: "ready", warnings: [] } },
  },
  getOpenApi: {
    description: "May be kept for a minute, and has an ETag.",
    example: { answer: { openapi: "3.1.0" } },
  },
  getIdempotencyKey: {
    description:
      "Ask for the key of a request whose answer was lost. The request is not sent again. Any credential of the account may ask.",
    example: {
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
  },
};
