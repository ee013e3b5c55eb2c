import { z } from "zod";
import { cursor, idSchema, limit, text } from "#lib/api/contract/fields.ts";
import { oneOrMore, periodFilter } from "#lib/api/contract/filters.ts";
import { pageOf } from "#lib/api/contract/resources.ts";
import { loggedRequestSchema } from "#lib/api/contract/staff-resources.ts";
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
    method: z.enum(["GET", "POST", "PATCH", "DELETE"]).optional(),
    outcome: z.enum(["succeeded", "refused"]).optional(),
    actor_id: idSchema.optional(),
    card_id: idSchema.optional(),
    request_id: text(100).optional(),
    operation: text(100).optional().describe("The operation's id, for example creditCard."),
    status: oneOrMore(STATUS_CLASSES).optional().describe("The classes of the status."),
    code: text(100).optional().describe("The code of a refusal."),
    api_version: z.enum(API_VERSIONS).optional(),
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
