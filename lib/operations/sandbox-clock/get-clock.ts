import { z } from "zod";
import { clockSchema } from "#lib/api/contract/clock.ts";
import { operation } from "#lib/operations/operation.ts";
import { AHEAD } from "#lib/operations/sandbox-clock/samples.ts";

export const getClock = operation({
  id: "getClock",
  method: "GET",
  path: "/sandbox/clock",
  summary: "Get the sandbox clock",
  description:
    "A sandbox has a clock of its own, by which the expiry of authorizations and of cards is set and compared. It runs at the pace of real time, as far ahead as it was advanced. Every other time, such as created_at, is real.",
  kind: "read",
  scope: "account:read",
  sandboxOnly: true,
  answer: z.strictObject({ data: clockSchema }),
  examples: [{ answer: { data: AHEAD } }],
});
