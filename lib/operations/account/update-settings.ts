import { z } from "zod";
import { country, requireOne, text } from "#lib/api/contract/fields.ts";
import { accountSchema, ACCOUNT as SAMPLE, switches } from "#lib/api/contract/account.ts";
import { approvalRule } from "#lib/api/contract/approval.ts";
import { autoFreeze, AUTO_FREEZE, idleFreezeDays } from "#lib/api/contract/freeze-rule.ts";
import { spendingControlsRequest } from "#lib/api/contract/spending-controls.ts";
import { cardColorSchema, programNameSchema, timeZoneSchema } from "#lib/base/account-fields.ts";
import { API_VERSIONS } from "#lib/base/api-versions.ts";
import { logSafe } from "#lib/base/log-safe.ts";
import { MINOR_UNITS } from "#lib/base/money-schemas.ts";
import { BALANCE_MAX } from "#lib/base/money.ts";
import { operation } from "#lib/operations/operation.ts";

const settings = {
  low_balance_threshold: logSafe(
    z
      .int(MINOR_UNITS)
      .min(1, "This field must be at least 1.")
      .max(BALANCE_MAX, `This field must be at most ${BALANCE_MAX}.`),
  ).nullable(),
  api_version: logSafe(z.enum(API_VERSIONS)),
  ...switches,
  approval: approvalRule,
  auto_freeze: autoFreeze,
  idle_freeze_days: idleFreezeDays,
  spending_controls: spendingControlsRequest
    .nullable()
    .describe(
      "What cards may buy that have no controls of their own; null or {} for everything. Replaces the whole.",
    ),
  program_name: programNameSchema.nullable(),
  card_color: cardColorSchema.nullable(),
  time_zone: logSafe(timeZoneSchema),
  contact_number: text(),
  country,
  registration_number: text(),
};

export const updateSettings = operation({
  id: "updateSettings",
  method: "PATCH",
  path: "/card-integrators/settings",
  summary: "Update account settings",
  description:
    "Send any of the members; the others keep their values. Only owners with a recent sign-in change approval, and switching it on needs two owners or admins.",
  attempt: "change the settings",
  kind: "write",
  tagged: true,
  large: true,
  scope: "account:write",
  approval: "trust",
  body: z
    .strictObject(settings)
    .partial()
    .check((context) => requireOne(context.value, Object.keys(settings), context))
    .meta({ minProperties: 1 }),
  answer: z.strictObject({ data: accountSchema }),
  errors: ["role_insufficient", "fresh_sign_in_required", "approvers_missing"],
  examples: [
    {
      body: { low_balance_threshold: 100_000, idempotency_required: false },
      answer: { data: SAMPLE },
    },
    { body: { auto_freeze: AUTO_FREEZE, idle_freeze_days: 90 } },
  ],
});
