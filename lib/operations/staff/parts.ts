import { z } from "zod";
import { ROLES } from "#lib/access/roles.ts";
import { logSafe } from "#lib/base/log-safe.ts";

/** A password typed to authenticate: it may have been chosen under any earlier rule. */
export const typedPassword = z
  .string()
  .min(1, "This field must not be empty.")
  .max(255, "This field must be at most 255 characters long.");

export const role = logSafe(z.enum(ROLES, `This field must be one of ${ROLES.join(", ")}.`));

/** Codes of using a one-time link: it changes something, but its caller is not known. */
export const LINK_ERRORS = [
  "link_not_found",
  "rate_limited",
  "database_unavailable",
  "database_full",
  "read_only",
  "outcome_unknown",
] as const;

export const token = z
  .string()
  .min(1, "This field must not be empty.")
  .max(255)
  .describe("The token of the one-time link: what follows the # in it.");

export const self = { kind: "write", scope: null, staffOnly: true } as const;

export const done = z.strictObject({ message: z.string() });
