import { z } from "zod";
import { clockSchema } from "#lib/api/contract/clock.ts";
import { operation } from "#lib/operations/operation.ts";

export const resetClock = operation({
  id: "resetClock",
  method: "POST",
  path: "/sandbox/clock/reset",
  summary: "Reset the sandbox clock",
  description:
    "Refused while an authorization is open or a card is not closed whose deadline was set ahead of real time; the detail counts them. What has expired stays expired.",
  attempt: "reset the sandbox clock",
  kind: "write",
  scope: "sandbox:write",
  sandboxOnly: true,
  answer: z.strictObject({ data: clockSchema }),
  errors: ["clock_advancing", "clock_in_use"],
  examples: [
    {
      answer: {
        data: { now: "2026-11-21T07:56:40.105Z", offset_seconds: 0, advancing_to: null },
      },
    },
  ],
});
