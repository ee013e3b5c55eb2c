import { z } from "zod";
import { id } from "#lib/api/contract/internal/answer-members.ts";
import { logSafe } from "#lib/base/log-safe.ts";

export const actorSchema = z
  .strictObject({
    type: logSafe(z.enum(["api_key", "staff", "processor", "system"])).describe(
      "api_key: a request with an API key. staff: a signed-in person. processor: the card network. system: the server itself, for example at a deadline.",
    ),
    id: id
      .nullable()
      .describe(
        "The id of the API key, also that of the card network, or of the person; null for the server.",
      ),
    name: z.string().describe("Their name as it was then."),
  })
  .meta({ id: "Actor" });
