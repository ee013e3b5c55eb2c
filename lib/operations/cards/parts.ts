import { z } from "zod";
import { logSafe } from "#lib/base/log-safe.ts";

/** A precondition, so that a caller never undoes a change of status that it has not seen. */
export const statusVersion = logSafe(
  z.int("This field must be a whole number: the status_version of the card as you last read it."),
)
  .nullable()
  .default(null)
  .describe(
    "The card's status_version as you last read it. If the status has changed since, the request is refused with card_status_changed. Omit it to change the card whatever its status.",
  );

/** The reason "other" and its comment, as the document describes them. */
export const OTHER_NEEDS_COMMENT = {
  if: { properties: { reason: { const: "other" } }, required: ["reason"] },
  // oxlint-disable-next-line unicorn/no-thenable -- a keyword of JSON Schema.
  then: { properties: { comment: { type: "string", minLength: 1 } }, required: ["comment"] },
};

/** Why the terms of a freeze are refused, of one card and of many. */
export const FREEZE_TERM_ERRORS = ["reason_required"] as const;
