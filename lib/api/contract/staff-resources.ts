import { z } from "zod";
import { actorSchema } from "#lib/api/contract/internal/actor.ts";
import { logSafe } from "#lib/base/log-safe.ts";
import { ROLES } from "#lib/access/roles.ts";
import { BODY_FORMS, BODY_STATES } from "#lib/record/request-classes.ts";

/** The resources in answers about staff, API keys, and their audit and request logs. */

const id = logSafe(z.uuid());
const time = logSafe(z.iso.datetime());

/** What a one-time link is for, as it is listed and as its page reads it. */
export const linkKind = logSafe(z.enum(["invitation", "password_reset"])).describe(
  "What the link is for: to join the account's staff, or to set a new password.",
);
export const invitedRole = logSafe(z.enum(ROLES))
  .nullable()
  .describe("The role of the invited person; null for a password reset.");
export const linkExpiry = time.describe(
  "When the link stops working: 7 days after it was created for an invitation, 24 hours for a password reset.",
);

const networkAddress = z
  .string()
  .nullable()
  .describe("The IP address that the request came from; null if it is not known.");

export const staffSchema = z
  .strictObject({
    id,
    email: z.string(),
    first_name: z.string(),
    last_name: z.string(),
    role: logSafe(z.enum(ROLES)),
    second_factor: logSafe(z.boolean()).describe("Whether their two-factor authentication is on."),
    signed_in_at: time.nullable().describe("When they last signed in; null if they never have."),
    created_at: time,
  })
  .meta({ id: "Staff" });

export const linkSchema = z
  .strictObject({
    id,
    kind: linkKind,
    email: z.string(),
    role: invitedRole,
    created_by: actorSchema.describe("Who created the link."),
    created_at: time,
    expires_at: linkExpiry,
  })
  .meta({ id: "StaffLink" });

export const apiKeySchema = z
  .strictObject({
    id,
    name: z.string().describe("What the key is called, as its creator named it."),
    prefix: z.string().describe("The first twelve characters of the key."),
    suffix: z.string(),
    scopes: z.array(z.string()),
    expires_at: time.nullable().describe("When the key stops working; null if it does not expire."),
    created_by: z.string().describe("The name of who created the key."),
    created_at: time,
    last_used_at: time
      .nullable()
      .describe("When the key was last used, to within a few minutes; null if it never was."),
    revoked_at: time.nullable().describe("When the key was revoked; null while it is not."),
  })
  .meta({ id: "ApiKey" });

export const auditSchema = z
  .strictObject({
    id,
    actor: actorSchema,
    action: z
      .string()
      .describe(
        "What was done, such as card.frozen; for a refused attempt, the operation followed by .refused.",
      ),
    target_type: z
      .string()
      .describe(
        "What it was done to: a card, float, account, cardholder, api_key, staff, or view.",
      ),
    target_id: id.describe("The id of what it was done to."),
    before: z
      .record(z.string(), z.unknown())
      .nullable()
      .describe("The members that changed, as they were before; null if there were none."),
    after: z
      .record(z.string(), z.unknown())
      .nullable()
      .describe("The members that changed, as they were after; null if there were none."),
    address: networkAddress,
    agent: z
      .string()
      .nullable()
      .describe("The User-Agent of the request; null if it sent none, or if there was no request."),
    request_id: z.string(),
    created_at: time,
  })
  .meta({ id: "AuditEntry" });

const loggedRequestShape = {
  id,
  actor: actorSchema.nullable().describe("Who sent the request; null if nobody is known."),
  operation: z.string().nullable(),
  method: z.string(),
  path: z.string(),
  status: z.int().describe("The HTTP status that was answered."),
  code: z.string().nullable().describe("The error code of a refusal; null for a success."),
  detail: z.string().nullable().describe("The detail of a refusal; null for a success."),
  card_id: id.nullable().describe("The card that the request named; null if it named none."),
  duration_ms: z
    .int()
    .describe("How long the answer took, in milliseconds, with the time that GET /events waited."),
  request_id: z.string().describe("The X-Request-Id of the answer."),
  address: networkAddress,
  api_version: z
    .string()
    .nullable()
    .describe("The version that answered; null in rows older than this member."),
  idempotency_key: z
    .string()
    .nullable()
    .describe("The Idempotency-Key that the request had; null without one."),
  replayed: z.boolean().describe("Whether the response was that of an earlier request."),
  created_at: time.describe("When the request arrived."),
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
    body: z
      .unknown()
      .describe("The body as JSON, with values redacted as form says; null if there is none."),
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
    request: keptBodySchema.nullable().describe("The body of the request; null if it is not kept."),
    response: keptBodySchema
      .nullable()
      .describe("The body of the response; null if it is not kept."),
  })
  .meta({ id: "LoggedRequestWithBodies" });
