import { z } from "zod";
import { logSafe } from "#lib/base/log-safe.ts";
import { TOPIC_NAMES } from "#lib/messages/topics.ts";
import { operation } from "#lib/operations/operation.ts";
import { self } from "#lib/operations/staff/parts.ts";

const muted = z
  .array(logSafe(z.enum(TOPIC_NAMES, `This field must list ${TOPIC_NAMES.join(", ")}.`)))
  .max(TOPIC_NAMES.length, `This field must have at most ${TOPIC_NAMES.length} entries.`)
  .describe("What you do not want to be told by mail.");

export const chooseMessages = operation({
  ...self,
  id: "chooseMessages",
  method: "PATCH",
  path: "/staff/me/messages",
  summary: "Choose what you are told by mail",
  description: "Mail about signing in cannot be switched off.",
  attempt: "choose what they are told by mail",
  body: z.strictObject({ muted }),
  answer: z.strictObject({ muted }),
  errors: [],
  examples: [{ body: { muted: ["float"] }, answer: { muted: ["float"] } }],
});
