import { z } from "zod";
import { logSafe } from "#lib/base/log-safe.ts";
import { operation } from "#lib/operations/operation.ts";

const required = logSafe(z.boolean("This field must be true or false.")).describe(
  "Whether everyone in the account must have two-factor authentication.",
);

export const requireSecondFactor = operation({
  id: "requireSecondFactor",
  method: "PATCH",
  path: "/staff/second-factor-policy",
  summary: "Require two-factor authentication for all staff, or stop requiring it; owners only",
  description: "People without it can then do nothing but set it up.",
  attempt: "change the two-factor requirement",
  kind: "write",
  scope: "staff:manage",
  staffOnly: true,
  fresh: true,
  body: z.strictObject({ required }),
  answer: z.strictObject({ required }),
  errors: ["role_insufficient"],
  examples: [{ body: { required: false }, answer: { required: false } }],
});
