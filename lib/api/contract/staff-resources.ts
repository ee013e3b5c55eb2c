import { z } from "zod";
import { actorSchema } from "#lib/api/contract/resources.ts";
import { logSafe } from "#lib/base/log-safe.ts";
import { ROLES } from "#lib/access/roles.ts";
import { BODY_FORMS, BODY_STATES } from "#lib/record/request-classes.ts";

/** The resources in answers about staff, API keys, and their audit and request logs. */

const id = logSafe(z.uuid());
const time = logSafe(z.iso.datetime());

export const staffSchema = z
  .strictObject({
    id,
    email: z.string(),
    first_name: z.string(),
    last_name: z.string(),
    role: logSafe(z.enum(ROLES)),
    second_factor: logSafe(z.boolean()),
    signed_in_at: time.nullable(),
    created_at: time,
  })
  .meta({ id: "Staff" });

export const linkSchema = z
  .strictObject({
    id,
    kind: logSafe(z.enum(["invitation", "password_reset"])),
    email: z.string(),
    role: logSafe(z.enum(ROLES)).nullable(),
    created_by: actorSchema,
    created_at: time,
    expires_at: time,
  })
  .meta({ id: "StaffLink" });

export const apiKeySchema = z
  .strictObject({
    id,
    name: z.string(),
    prefix: z.string().describe("The first twelve characters."),
    suffix: z.string().describe("The last four characters."),
    scopes: z.array(z.string()),
    expires_at: time.nullable(),
    created_by: z.string(),
    created_at: time,
    last_used_at: time.nullable(),
    revoked_at: time.nullable(),
  })
  .meta({ id: "ApiKey" });

export const auditSchema = z
  .strictObject({
    id,
    actor: actorSchema,
    action: z.string(),
    target_type: z.string(),
    target_id: id,
    before: z.record(z.string(), z.unknown()).nullable(),
    after: z.record(z.string(), z.unknown()).nullable(),
    address: z.string().nullable(),
    agent: z.string().nullable(),
    request_id: z.string(),
    created_at: time,
  })
  .meta({ id: "AuditEntry" });

const loggedRequestShape = {
  id,
  actor: actorSchema.nullable(),
  operation: z.string().nullable(),
  method: z.string(),
  path: z.string(),
  status: z.int(),
  code: z.string().nullable(),
  detail: z.string().nullable(),
  card_id: id.nullable(),
  duration_ms: z.int().describe("Includes the time that GET /events waited."),
  request_id: z.string(),
  address: z.string().nullable(),
  api_version: z.string().nullable().describe("Null in rows older than this member."),
  idempotency_key: z.string().nullable(),
  replayed: z.boolean().describe("Whether the response was that of an earlier request."),
  created_at: time,
};

export const loggedRequestSchema = z.strictObject(loggedRequestShape).meta({ id: "LoggedRequest" });

const keptBodySchema = z
  .strictObject({
    form: z
      .enum(BODY_FORMS)
      .describe(
        "whole: exactly as it was. redacted: values are replaced by [redacted], or members left out. truncated: only the first 8 KiB. malformed: it was no JSON object. unread: the request was refused before its body was read. none: there was no body.",
      ),
    unknown_members: z
      .int()
      .describe("How many members were left out because the API does not know them."),
    text: z
      .string()
      .nullable()
      .describe("The body byte for byte; null unless it is whole and at most 8 KiB long."),
    body: z.unknown(),
  })
  .meta({ id: "KeptBody" });

export const requestWithBodiesSchema = z
  .strictObject({
    ...loggedRequestShape,
    bodies: z
      .enum([...BODY_STATES, "expired"])
      .nullable()
      .describe(
        "kept: both are here. off: the account's log_bodies was off. secret: the operation's bodies hold a secret. limited: too many requests at once. expired: kept for 7 days only. Null in rows older than this member.",
      ),
    request: keptBodySchema.nullable(),
    response: keptBodySchema.nullable(),
  })
  .meta({ id: "LoggedRequestWithBodies" });
