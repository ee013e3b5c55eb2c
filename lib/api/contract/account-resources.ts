import { z } from "zod";
import { REGION } from "#lib/api/contract/glossary.ts";
import { currency, id, money, time } from "#lib/api/contract/internal/answer-members.ts";
import { API_VERSIONS } from "#lib/base/api-versions.ts";
import { logSafe } from "#lib/base/log-safe.ts";

/** The account and its cardholders in answers. */

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
  idempotency_required: logSafe(z.boolean()),
  freeze_reason_required: logSafe(z.boolean()),
  log_bodies: logSafe(z.boolean()),
  suspended_at: time
    .nullable()
    .describe(
      "When the operator stopped all spending on this account's cards; null while spending is allowed.",
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

const addressSchema = z
  .strictObject({
    city: z.string(),
    country: z.string(),
    line1: z.string(),
    line2: z.string().nullable(),
    state: z.string().nullable().describe(REGION),
    zip_code: z.string().nullable(),
  })
  .meta({ id: "Address" });

export const userSchema = z
  .strictObject({
    id,
    card_integrator_id: id.describe("The id of the account that registered the cardholder."),
    email: z.string(),
    first_name: z.string(),
    last_name: z.string(),
    phone_number: z.string(),
    id_type: z.string(),
    id_last4: z
      .string()
      .describe("The last four characters of id_number, which is not stored otherwise."),
    address: addressSchema.describe("Where the cardholder lives."),
    user_photo: z.string().nullable(),
    verified: logSafe(z.boolean()).describe(
      "Whether their identity is verified. A sandbox verifies everyone at once.",
    ),
    archived: logSafe(z.boolean()).describe(
      "Whether they are archived, and so can get no new cards.",
    ),
    erasure: z
      .strictObject({
        status: logSafe(z.enum(["in_progress", "completed"])).describe(
          "in_progress: records that name them are still being erased. completed: nothing is left.",
        ),
        began_at: time.describe("When the erasure was requested."),
      })
      .nullable()
      .describe("How far the erasure of their personal data is; null unless it was requested."),
    created_at: time,
    updated_at: time,
  })
  .meta({ id: "User" });
