import { z } from "zod";
import { idSchema } from "#lib/api/contract/fields.ts";
import { STAFF_ID_PARAMETER } from "#lib/base/page-person.ts";

/** The person whose page has the link. A session's other requests name them in a header, which a link cannot send. */
export const linked = {
  [STAFF_ID_PARAMETER]: idSchema
    .optional()
    .describe(
      "With a session cookie, the ID of the person whose page the link is on, where it cannot send `Staff-Id`.",
    ),
};

/** A CSV file; the contract does not describe its rows. */
export const csv = z.string();
