import { z } from "zod";
import { currency, id, money, time } from "#lib/api/contract/internal/answer-members.ts";
import { approvalRule } from "#lib/api/contract/approval.ts";
import { autoFreeze, idleFreezeDays } from "#lib/api/contract/freeze-rule.ts";
import { spendingControlsSchema } from "#lib/api/contract/spending-controls.ts";
import { CREATED_AT, IDS, UPDATED_AT } from "#lib/api/contract/samples.ts";
import { API_VERSIONS } from "#lib/base/api-versions.ts";
import { logSafe } from "#lib/base/log-safe.ts";

/** An integrator's account in answers. */

/** The settings that are either on or off, in the account and in a change of its settings. */
export const switches = {
  idempotency_required: logSafe(z.boolean()).describe(
    "Whether every request that may have an Idempotency-Key must have one. One without is refused with idempotency_key_required.",
  ),
  freeze_reason_required: logSafe(z.boolean()).describe(
    "Whether every freeze needs a reason. One without is refused with reason_required.",
  ),
  log_bodies: logSafe(z.boolean()).describe(
    "Whether the API log keeps the bodies of requests and responses, redacted.",
  ),
};

const accountShape = {
  id,
  business_name: z.string(),
  business_address: z.string(),
  domain: z.string(),
  webhook_url: z.string().nullable(),
  email: z.string().describe("The email of the person who registered the account."),
  first_name: z.string(),
  last_name: z.string(),
  contact_number: z.string(),
  country: z.string(),
  registration_number: z.string(),
  program_name: z.string().nullable(),
  card_color: z.string().nullable(),
  time_zone: logSafe(z.string()),
  float_currencies: z.array(currency),
  environment: logSafe(z.enum(["sandbox", "live"])),
  api_version: logSafe(z.enum(API_VERSIONS)),
  low_balance_threshold: money.nullable(),
  ...switches,
  approval: approvalRule,
  auto_freeze: autoFreeze,
  idle_freeze_days: idleFreezeDays,
  spending_controls: spendingControlsSchema
    .nullable()
    .describe("What cards may buy that have no controls of their own; null for everything."),
  suspended_at: time
    .nullable()
    .describe(
      "When the operator stopped all spending on this account's cards; null while spending is allowed.",
    ),
  stopped_at: time
    .nullable()
    .describe(
      "When the operator stopped all changes to this account; null while they are allowed.",
    ),
  created_at: time,
  updated_at: time,
};

export const accountSchema = z.strictObject(accountShape).meta({ id: "Account" });

export const registeredAccountSchema = z
  .strictObject({
    ...accountShape,
    api_key: z.string().describe("The first API key, which is shown only here."),
  })
  .meta({ id: "RegisteredAccount" });

export const ACCOUNT = {
  id: IDS.integrator,
  business_name: "Northwind",
  business_address: "1 Harbour Street",
  domain: "northwind.example",
  webhook_url: "https://hooks.northwind.example/floatdeck",
  email: "ada@northwind.example",
  first_name: "Ada",
  last_name: "Winter",
  contact_number: "+15550100",
  country: "US",
  registration_number: "12345",
  program_name: null,
  card_color: null,
  time_zone: "UTC",
  float_currencies: ["USD"],
  environment: "sandbox",
  api_version: "0.5.0",
  low_balance_threshold: 100_000,
  idempotency_required: false,
  freeze_reason_required: false,
  approval: null,
  auto_freeze: null,
  idle_freeze_days: null,
  log_bodies: true,
  spending_controls: null,
  suspended_at: null,
  stopped_at: null,
  created_at: CREATED_AT,
  updated_at: UPDATED_AT,
};

/** What the account says after it was restored from a backup. */
export const restoredAccountSchema = z.strictObject({
  restored_to: time.describe(
    "What happened later is gone, and its sequence numbers are given again.",
  ),
});
