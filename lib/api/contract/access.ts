import { z } from "zod";
import { cursor, limit, text, idSchema } from "#lib/api/contract/fields.ts";
import { oneOrMore, periodFilter } from "#lib/api/contract/filters.ts";
import { operation } from "#lib/api/contract/operation.ts";
import { pageOf } from "#lib/api/contract/resources.ts";
import {
  apiKeySchema,
  auditSchema,
  loggedRequestSchema,
  requestWithBodiesSchema,
} from "#lib/api/contract/staff-resources.ts";
import { KEY_SCOPES } from "#lib/base/actor.ts";
import { API_VERSIONS } from "#lib/base/api-versions.ts";
import { STATUS_CLASSES } from "#lib/record/request-classes.ts";

const KEY_DAYS_MAX = 1_825;

export const listApiKeys = operation({
  id: "listApiKeys",
  method: "GET",
  path: "/api-keys",
  summary: "List API keys, without the secret keys",
  kind: "read",
  scope: "keys:manage",
  staffOnly: true,
  answer: z.strictObject({ data: z.array(apiKeySchema) }),
});

export const createApiKey = operation({
  id: "createApiKey",
  method: "POST",
  path: "/api-keys",
  summary: "Create an API key; the key is shown only once",
  kind: "write",
  scope: "keys:manage",
  staffOnly: true,
  fresh: true,
  secret: true,
  body: z.strictObject({
    name: text(100),
    scopes: z
      .array(z.enum(KEY_SCOPES, `Each scope must be one of ${KEY_SCOPES.join(", ")}.`))
      .min(1, "This field must contain at least one scope.")
      .max(KEY_SCOPES.length, "This field must name each scope once."),
    expires_in_days: z
      .int("This field must be a whole number of days.")
      .min(1, "This field must be at least 1.")
      .max(KEY_DAYS_MAX, `This field must be at most ${KEY_DAYS_MAX}.`)
      .nullable()
      .default(null),
  }),
  status: 201,
  answer: z.strictObject({ data: apiKeySchema, api_key: z.string() }),
});

export const revokeApiKey = operation({
  id: "revokeApiKey",
  method: "DELETE",
  path: "/api-keys/{id}",
  summary: "Revoke an API key; it stops working everywhere within five seconds",
  kind: "write",
  scope: "keys:manage",
  staffOnly: true,
  notFound: "api_key_not_found",
  answer: z.strictObject({ data: apiKeySchema }),
});

export const listAuditLog = operation({
  id: "listAuditLog",
  method: "GET",
  path: "/audit-log",
  summary: "List the audit log, newest first",
  kind: "read",
  scope: "audit:read",
  staffOnly: true,
  query: z.strictObject({
    action: text(100)
      .optional()
      .describe(
        "An action, `refused` for every refused attempt, or an operation's id followed by `.refused`.",
      ),
    actor_id: idSchema.optional(),
    target_id: idSchema.optional(),
    ...periodFilter,
    limit,
    cursor: cursor.optional(),
  }),
  answer: pageOf(auditSchema),
});

export const listApiLog = operation({
  id: "listApiLog",
  method: "GET",
  path: "/api-log",
  summary: "List the requests of the last 30 days, newest first",
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
});

export const getLoggedRequest = operation({
  id: "getLoggedRequest",
  method: "GET",
  path: "/api-log/{id}",
  summary: "Get a request of the API log with its bodies, as far as they are kept",
  kind: "read",
  scope: "audit:read",
  staffOnly: true,
  notFound: "request_not_found",
  answer: z.strictObject({ data: requestWithBodiesSchema }),
});
