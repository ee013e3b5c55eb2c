import { z } from "zod";
import { actorSchema } from "#lib/api/contract/internal/actor.ts";
import { eventName, id, time } from "#lib/api/contract/internal/answer-members.ts";
import { API_VERSIONS } from "#lib/base/api-versions.ts";
import { logSafe } from "#lib/base/log-safe.ts";

const members = z.record(z.string(), z.unknown());

export const eventSchema = z
  .strictObject({
    id,
    event: eventName,
    api_version: logSafe(z.enum(API_VERSIONS)).describe(
      "The version in which the event is written.",
    ),
    environment: logSafe(z.enum(["sandbox", "live"])),
    created_at: time.describe("When it happened."),
    integrator_id: id.describe("The id of the account that the event belongs to."),
    subject: z
      .strictObject({
        type: logSafe(z.enum(["card", "float", "account", "cardholder"])).describe(
          "The kind of the subject.",
        ),
        id: id.describe("The id of the subject."),
      })
      .describe("What the event is about."),
    sequence: logSafe(z.int()).describe("Numbers the events of the subject from 1, without a gap."),
    request_id: z.string(),
    actor: actorSchema,
    data: members.describe("What happened; each event has its own members."),
    previous: members
      .nullable()
      .describe("The values before, of the members that changed; null where nothing changed."),
    checksum: z
      .string()
      .describe(
        "For older receivers: the upper-case hex HMAC-SHA256 of event|data, with data as JSON with sorted members, keyed with integrator_id. It authenticates nothing; verify the signature header instead.",
      ),
  })
  .meta({ id: "Event" });
