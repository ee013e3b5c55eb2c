import { z } from "zod";
import { idSchema } from "#lib/api/contract/fields.ts";
import { STAFF_ID_PARAMETER } from "#lib/base/page-person.ts";

/** Whose page the link is on: a link cannot send the header in which a session's other requests say so. */
export const linked = {
  [STAFF_ID_PARAMETER]: idSchema
    .optional()
    .describe(
      "With a session cookie, the ID of the person whose page the link is on, where it cannot send `Staff-Id`.",
    ),
};

/** A CSV file; the contract does not describe its rows. */
export const csv = z.string();
