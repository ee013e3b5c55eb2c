import { z } from "zod";
import { moment } from "#lib/api/contract/fields.ts";
import { clockSchema } from "#lib/api/contract/clock.ts";
import { ADVANCE_MAX_S } from "#lib/base/deadline-clock.ts";
import { logSafe } from "#lib/base/log-safe.ts";
import { operation } from "#lib/operations/operation.ts";
import { AHEAD } from "#lib/operations/sandbox-clock/samples.ts";

const SECONDS = `This field must be a whole number of seconds, 1 to ${ADVANCE_MAX_S}: at most 400 days.`;

export const advanceClock = operation({
  id: "advanceClock",
  method: "POST",
  path: "/sandbox/clock/advance",
  summary: "Advance the sandbox clock",
  description:
    "Give by_seconds or to. Before it answers, everything that is due on the way has happened once, in the order of its deadlines, and GET /events lists its events; due_at says when each was due. Meanwhile, changes of cards and funds are answered with 409 clock_advancing. The clock only goes forward, at most 400 days at once and 10 years in all. Under one Idempotency-Key it advances once.",
  attempt: "advance the sandbox clock",
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
  examples: [{ body: { by_seconds: 691_200 }, answer: { data: AHEAD } }],
});
