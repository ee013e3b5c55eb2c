import { z } from "zod";
import { cursor, idSchema, limit, text } from "#lib/api/contract/fields.ts";
import { oneOrMore, periodFilter } from "#lib/api/contract/filters.ts";
import { pageOf } from "#lib/api/contract/page.ts";
import { loggedRequestSchema } from "#lib/api/contract/logged-request.ts";
import { API_VERSIONS } from "#lib/base/api-versions.ts";
import { LOGGED_REQUEST } from "#lib/operations/access/samples.ts";
import { operation } from "#lib/operations/operation.ts";
import { STATUS_CLASSES } from "#lib/record/request-classes.ts";

export const listApiLog = operation({
  id: "listApiLog",
  method: "GET",
  path: "/api-log",
  summary: "List the requests of the last 30 days, newest first",
  description: "What was requested, by which key or person, and how it was answered.",
  kind: "read",
  scope: "audit:read",
  staffOnly: true,
  query: z.strictObject({
    method: z
      .enum(["GET", "POST", "PATCH", "DELETE"])
      .optional()
      .describe("Only with this method."),
    outcome: z
      .enum(["succeeded", "refused"])
      .optional()
      .describe("succeeded: a status below 400. refused: 400 or above."),
    actor_id: idSchema.optional().describe("Only requests of this API key or person."),
    card_id: idSchema.optional().describe("Only requests that named this card."),
    request_id: text(100).optional().describe("Only the request with this X-Request-Id."),
    operation: text(100)
      .optional()
      .describe("Only of this operation, by its operationId, for example creditCard."),
    status: oneOrMore(STATUS_CLASSES).optional().describe("Only with a status of these classes."),
    code: text(100).optional().describe("Only refusals with this error code."),
    api_version: z
      .enum(API_VERSIONS)
      .optional()
      .describe("Only requests that this version answered."),
    ...periodFilter,
    limit,
    cursor: cursor.optional(),
  }),
  answer: pageOf(loggedRequestSchema),
  examples: [
    {
      needs: "logged request",
      query: { method: "PATCH", limit: "15" },
      answer: {
        data: [LOGGED_REQUEST],
        next_cursor: null,
      },
    },
  ],
});
