import { z } from "zod";
import { ID_PATTERN } from "#lib/base/ids.ts";
import { logSafe } from "#lib/base/log-safe.ts";

/** A UUID in any letter case, normalized to lower case. */
export const idSchema = logSafe(
  z
    .string()
    .regex(ID_PATTERN, "This field must be a UUID.")
    .transform((id) => id.toLowerCase())
    // In the document: any spelling is accepted, and this one is answered.
    .meta({ document: { type: "string", format: "uuid" } }),
);
