import { z } from "zod";
import { currency, id, money, time } from "#lib/api/contract/internal/answer-members.ts";
import { API_VERSIONS } from "#lib/base/api-versions.ts";
import { logSafe } from "#lib/base/log-safe.ts";
import { CARD_STATUSES, FREEZE_REASONS } from "#lib/cards/card-state.ts";
import { POSTED_AS } from "#db/schema/posted-as.ts";
import { DECLINE_REASONS } from "#lib/transactions/decline-rules.ts";
import { TRANSACTION_STATUSES, TRANSACTION_TYPES } from "#lib/transactions/transaction-kinds.ts";

/** The resources in answers. Every member is always present; a missing value is null. */

const cardStatus = logSafe(z.enum(CARD_STATUSES).meta({ id: "CardStatus" }));
export const freezeReason = logSafe(z.enum(FREEZE_REASONS).meta({ id: "FreezeReason" }));

export const actorSchema = z
  .strictObject({
    type: logSafe(z.enum(["api_key", "staff", "processor", "system"])),
    id: id.nullable(),
    name: z.string(),
  })
  .meta({ id: "Actor" });

const freezeSchema = z
  .strictObject({
    frozen_at: time,
    reason: freezeReason
      .nullable()
      .describe("The gravest reason that the freeze was given; comment and actor belong to it."),
    comment: z.string().nullable(),
    actor: actorSchema,
  })
  .meta({ id: "CardFreeze" });

export const cardSchema = z
  .strictObject({
    id,
    business_id: id,
    user_id: id,
    card_name: z.string(),
    card_number: z.string().describe("Masked: the first six and the last four digits."),
    last4: z.string(),
    card_type: z.literal("virtual"),
    currency,
    cvv2: z.null(),
    design_type: z.string(),
    expiry: time,
    valid: z.string().describe("MM/YY"),
    single_use: logSafe(z.boolean()),
    provider: z.string(),
    status: cardStatus,
    status_version: logSafe(z.int()).describe(
      "Increases by 1 with each change of the status, and when a freeze is given another reason. Balances do not affect it.",
    ),
    freeze: freezeSchema.nullable().describe("Null unless the card is frozen."),
    balance: money.describe("Minor units."),
    held: money,
    available: money.describe("The balance minus open holds."),
    metadata: z.record(z.string(), z.string()),
    created_at: time,
    updated_at: time,
  })
  .meta({ id: "Card" });

export const merchantSchema = z
  .strictObject({
    name: z.string(),
    mcc: z.string().nullable().describe("The ISO 18245 merchant category."),
    city: z.string().nullable(),
    country: z.string().nullable(),
  })
  .meta({ id: "Merchant" });

const holdSchema = z
  .strictObject({
    amount: money.describe("The amount held originally."),
    captured: money,
    released: money,
    remaining: money.describe("The amount still held."),
    expires_at: time,
  })
  .meta({ id: "Hold" });

/** How the card network posted a purchase or a refund, as transactions and their events say it. */
export const postingShape = {
  posted_as: logSafe(z.enum(POSTED_AS).meta({ id: "PostedAs" }))
    .nullable()
    .describe("How the card network posted a settled purchase."),
  covered: z
    .strictObject({ float: money, deficit: money.describe("What is owed.") })
    .meta({ id: "Covered" })
    .nullable()
    .describe("Who paid of a purchase what its card could not pay."),
  refund_exceeds: logSafe(z.boolean())
    .nullable()
    .describe("Whether a refund is more than was left of its purchase."),
};

export const transactionSchema = z
  .strictObject({
    id,
    card_id: id,
    type: logSafe(z.enum(TRANSACTION_TYPES).meta({ id: "TransactionType" })),
    status: logSafe(z.enum(TRANSACTION_STATUSES).meta({ id: "TransactionStatus" })),
    amount: money,
    requested_amount: money
      .nullable()
      .describe("What was asked for, when an authorization was approved only in part."),
    currency,
    conversion_rate: z.literal(1),
    card_balance_before: money,
    card_balance_after: money,
    narrative: z.string().nullable().describe("The merchant's own text."),
    merchant: merchantSchema.nullable(),
    as_received: z
      .record(z.string(), z.string())
      .nullable()
      .describe(
        "What the card network sent for each member of narrative and merchant that had to be cleaned, such as merchant.country; null if none had to be.",
      ),
    merchant_amount: money
      .nullable()
      .describe(
        "What the merchant asked for in its own currency, in that currency's minor units; null if only the amount billed is known.",
      ),
    merchant_currency: currency.nullable(),
    decline_reason: logSafe(z.string())
      .nullable()
      .describe(`The first applicable of ${DECLINE_REASONS.join(", ")}.`),
    decline_explanation: z.string().nullable().describe("What was wrong, and what to do about it."),
    authorization_id: id
      .nullable()
      .describe("For a further capture or a declined increment: the authorization it belongs to."),
    ...postingShape,
    cover_of: id.nullable().describe("For cover of a purchase, or cover given back: the purchase."),
    refund_of: id.nullable().describe("For a refund: the purchase it refunds."),
    refunded: money.describe("How much of a purchase has been refunded."),
    hold: holdSchema.nullable().describe("Set for an authorization; null for anything else."),
    actor: actorSchema,
    created_at: time,
    settled_at: time.nullable(),
  })
  .meta({ id: "Transaction" });

export const clockSchema = z
  .strictObject({
    now: time.describe("The time by which the deadlines of this account are set and compared."),
    offset_seconds: logSafe(z.int()).describe(
      "How far the clock is ahead of real time, at whose pace it runs; 0 for real time.",
    ),
    advancing_to: time
      .nullable()
      .describe("The time to which the clock is being moved at present; null when it is not."),
  })
  .meta({ id: "SandboxClock" });

const accountShape = {
  id,
  business_name: z.string(),
  business_address: z.string(),
  domain: z.string(),
  webhook_url: z.string().nullable(),
  email: z.string(),
  first_name: z.string(),
  last_name: z.string(),
  contact_number: z.string(),
  country: z.string(),
  registration_number: z.string(),
  program_name: z
    .string()
    .nullable()
    .describe("The name on the drawn cards; null for the business name."),
  card_color: z
    .string()
    .nullable()
    .describe("The color of the drawn cards, as #rrggbb; null to follow each card's design_type."),
  time_zone: logSafe(z.string()).describe(
    "The IANA name of the time zone of the dashboard and of the times in exports. Times in API responses, and days in filters, are in UTC.",
  ),
  float_currencies: z.array(currency),
  environment: logSafe(z.enum(["sandbox", "live"])),
  api_version: logSafe(z.enum(API_VERSIONS)),
  low_balance_threshold: money.nullable(),
  idempotency_required: logSafe(z.boolean()),
  log_bodies: logSafe(z.boolean()).describe(
    "Whether the API log keeps the bodies of requests and responses, redacted.",
  ),
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
  .strictObject({ ...accountShape, api_key: z.string().describe("Shown only once.") })
  .meta({ id: "RegisteredAccount" });

const addressSchema = z
  .strictObject({
    city: z.string(),
    country: z.string(),
    line1: z.string(),
    line2: z.string().nullable(),
    state: z.string().nullable(),
    zip_code: z.string().nullable(),
  })
  .meta({ id: "Address" });

export const userSchema = z
  .strictObject({
    id,
    card_integrator_id: id,
    email: z.string(),
    first_name: z.string(),
    last_name: z.string(),
    phone_number: z.string(),
    id_type: z.string(),
    id_last4: z.string(),
    address: addressSchema,
    user_photo: z.string().nullable(),
    verified: logSafe(z.boolean()),
    archived: logSafe(z.boolean()),
    erasure: z
      .strictObject({
        status: logSafe(z.enum(["in_progress", "completed"])),
        began_at: time,
      })
      .nullable()
      .describe("How far the erasure of their personal data is; null unless it was requested."),
    created_at: time,
    updated_at: time,
  })
  .meta({ id: "User" });

export const activitySchema = z
  .strictObject({
    id,
    type: logSafe(z.enum(["state_change", "transaction", "refused_attempt"])),
    created_at: time,
    actor: actorSchema.nullable(),
    request_id: z.string(),
    state_change: z
      .strictObject({
        from: cardStatus.nullable(),
        to: cardStatus,
        reason: freezeReason.nullable(),
        comment: z.string().nullable(),
      })
      .nullable(),
    transaction: transactionSchema.nullable(),
    refusal: z
      .strictObject({
        operation: logSafe(z.string()).nullable(),
        status: logSafe(z.int()),
        code: logSafe(z.string()).nullable(),
        detail: z.string().nullable(),
      })
      .nullable(),
  })
  .meta({ id: "Activity" });

/** A paginated list whose cursor names the next page. */
export function pageOf<Row extends z.ZodType>(row: Row) {
  return z.strictObject({ data: z.array(row), next_cursor: z.string().nullable() });
}

export const problemSchema = z
  .strictObject({
    type: logSafe(z.string()),
    title: logSafe(z.string()),
    status: logSafe(z.int()),
    detail: z.string(),
    instance: z.string(),
    code: logSafe(z.string()),
    request_id: logSafe(z.string()),
    message: logSafe(z.string()),
    errors: z.record(z.string(), z.union([z.array(z.string()), z.string()])).optional(),
  })
  .meta({ id: "Problem" });
