import { z } from "zod";
import { logSafe } from "#lib/base/log-safe.ts";

export const problemSchema = z
  .strictObject({
    type: logSafe(z.string()).describe(
      "Where the code is explained, below the server's address: /docs/errors#insufficient_float.",
    ),
    title: logSafe(z.string()).describe("What the code means, in a few words."),
    status: logSafe(z.int()).describe("The HTTP status of this answer."),
    detail: z.string().describe("What was wrong with this request, in a sentence."),
    instance: z.string().describe("The path of this request."),
    code: logSafe(z.string()).describe("The error code. Decide by it, never by the texts."),
    request_id: logSafe(z.string()).describe(
      "The X-Request-Id of this answer. Name it to support.",
    ),
    message: logSafe(z.string()).describe("What older clients read. It tells fewer cases apart."),
    errors: z
      .record(z.string(), z.union([z.array(z.string()), z.string()]))
      .optional()
      .describe(
        "What is wrong with each member or parameter, by its path; absent if the fault is in none of them.",
      ),
  })
  .meta({ id: "Problem" });
