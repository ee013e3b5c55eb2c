import { z } from "zod";
import { actorSchema } from "#lib/api/contract/internal/actor.ts";
import { id, networkAddress, time } from "#lib/api/contract/internal/answer-members.ts";
import { BODY_FORMS, BODY_STATES } from "#lib/record/request-classes.ts";

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
