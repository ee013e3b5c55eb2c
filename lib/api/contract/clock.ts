import { z } from "zod";
import { moment } from "#lib/api/contract/fields.ts";
import { operation } from "#lib/api/contract/operation.ts";
import { clockSchema } from "#lib/api/contract/resources.ts";
import { ADVANCE_MAX_S } from "#lib/base/deadline-clock.ts";
import { logSafe } from "#lib/base/log-safe.ts";

export const getClock = operation({
  id: "getClock",
  method: "GET",
  path: "/sandbox/clock",
  summary: "Get the sandbox clock",
  kind: "read",
  scope: "account:read",
  sandboxOnly: true,
  answer: z.strictObject({ data: clockSchema }),
});

const SECONDS = `This field must be a whole number of seconds, 1 to ${ADVANCE_MAX_S}: at most 400 days.`;

export const advanceClock = operation({
  id: "advanceClock",
  method: "POST",
  path: "/sandbox/clock/advance",
  summary: "Advance the sandbox clock",
  kind: "write",
  scope: "sandbox:write",
  sandboxOnly: true,
  body: z
    .strictObject({
      by_seconds: logSafe(z.int(SECONDS).min(1, SECONDS).max(ADVANCE_MAX_S, SECONDS))
        .optional()
        .describe("How far to advance, in whole seconds: 34560000, or 400 days, at most."),
      to: logSafe(moment)
        .optional()
        .describe("The time to advance to: later than the clock shows, by 400 days at most."),
    })
    .refine((body) => body.by_seconds !== undefined || body.to !== undefined, {
      path: ["by_seconds"],
      error: "Exactly one of by_seconds and to is required.",
    })
    .refine((body) => body.by_seconds === undefined || body.to === undefined, {
      path: ["to"],
      error: "This field is not allowed beside by_seconds: exactly one of them is required.",
    })
    .meta({ minProperties: 1, maxProperties: 1 }),
  answer: z.strictObject({ data: clockSchema }),
  errors: ["clock_advancing", "balance_limit_exceeded", "books_unbalanced"],
});

export const resetClock = operation({
  id: "resetClock",
  method: "POST",
  path: "/sandbox/clock/reset",
  summary: "Reset the sandbox clock",
  kind: "write",
  scope: "sandbox:write",
  sandboxOnly: true,
  answer: z.strictObject({ data: clockSchema }),
  errors: ["clock_advancing", "clock_in_use"],
});
