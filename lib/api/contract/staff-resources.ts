import { z } from "zod";
import { actorSchema } from "#lib/api/contract/resources.ts";
import { ROLES } from "#lib/access/roles.ts";

/** The resources in answers about staff, API keys, and their audit and request logs. */

const id = z.uuid();
const time = z.iso.datetime();

export const staffSchema = z
  .strictObject({
    id,
    email: z.string(),
    first_name: z.string(),
    last_name: z.string(),
    role: z.enum(ROLES),
    second_factor: z.boolean(),
    signed_in_at: time.nullable(),
    created_at: time,
  })
  .meta({ id: "Staff" });

export const linkSchema = z
  .strictObject({
    id,
    kind: z.enum(["invitation", "password_reset"]),
    email: z.string(),
    role: z.enum(ROLES).nullable(),
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

export const loggedRequestSchema = z
  .strictObject({
    id,
    actor: actorSchema.nullable(),
    operation: z.string().nullable(),
    method: z.string(),
    path: z.string(),
    status: z.int(),
    code: z.string().nullable(),
    detail: z.string().nullable(),
    card_id: id.nullable(),
    duration_ms: z.int(),
    request_id: z.string(),
    address: z.string().nullable(),
    created_at: time,
  })
  .meta({ id: "LoggedRequest" });
