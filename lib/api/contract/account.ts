import { z } from "zod";
import { email, requireOne, text, textOrEmpty } from "#lib/api/contract/fields.ts";
import { operation } from "#lib/api/contract/operation.ts";
import { accountSchema, registeredAccountSchema } from "#lib/api/contract/resources.ts";
import {
  cardColorSchema,
  domainSchema,
  programNameSchema,
  timeZoneSchema,
  webhookUrlSchema,
} from "#lib/base/account-fields.ts";
import { API_VERSIONS } from "#lib/base/api-versions.ts";
import { logSafe } from "#lib/base/log-safe.ts";
import { BALANCE_MAX } from "#lib/base/money.ts";
import { currencySchema, MINOR_UNITS } from "#lib/base/money-schemas.ts";
import { passwordSchema } from "#lib/staff/password-rules.ts";

const ADDRESS_MAX = 500;

export const updateAccount = operation({
  id: "updateAccount",
  method: "PATCH",
  path: "/card-integrators/update",
  summary: "Update account information: only business_address, webhook_url, and domain",
  kind: "write",
  scope: "account:write",
  since: "0.2.0",
  body: z
    .strictObject({
      business_address: text(ADDRESS_MAX),
      webhook_url: webhookUrlSchema.nullable(),
      domain: domainSchema,
    })
    .partial()
    .check((context) =>
      requireOne(context.value, ["business_address", "webhook_url", "domain"], context),
    )
    .meta({ minProperties: 1 }),
  answer: z.strictObject({ data: accountSchema }),
});

const SETTINGS = [
  "low_balance_threshold",
  "api_version",
  "idempotency_required",
  "log_bodies",
  "program_name",
  "card_color",
  "time_zone",
  "contact_number",
  "country",
  "registration_number",
] as const;

export const updateSettings = operation({
  id: "updateSettings",
  method: "PATCH",
  path: "/card-integrators/settings",
  summary: "Update account settings",
  kind: "write",
  scope: "account:write",
  body: z
    .strictObject({
      low_balance_threshold: logSafe(
        z
          .int(MINOR_UNITS)
          .min(1, "This field must be at least 1.")
          .max(BALANCE_MAX, `This field must be at most ${BALANCE_MAX}.`),
      ).nullable(),
      api_version: logSafe(z.enum(API_VERSIONS)),
      idempotency_required: logSafe(z.boolean()),
      log_bodies: logSafe(z.boolean()),
      program_name: programNameSchema.nullable(),
      card_color: cardColorSchema.nullable(),
      time_zone: logSafe(timeZoneSchema),
      contact_number: text(),
      country: text(),
      registration_number: text(),
    })
    .partial()
    .check((context) => requireOne(context.value, SETTINGS, context))
    .meta({ minProperties: 1 }),
  answer: z.strictObject({ data: accountSchema }),
});

export const getAccount = operation({
  id: "getAccount",
  method: "GET",
  path: "/card-integrators/me",
  summary: "Get the account",
  kind: "read",
  tagged: true,
  scope: "account:read",
  answer: z.strictObject({ data: accountSchema }),
});

export const getAccountVersion = operation({
  id: "getAccountVersion",
  method: "GET",
  path: "/card-integrators/me/version",
  summary: "Get a text that changes with the account's cards, money, and settings",
  kind: "read",
  scope: "account:read",
  staffOnly: true,
  logged: false,
  answer: z.strictObject({ version: z.string() }),
});

export const registerIntegrator = operation({
  id: "registerIntegrator",
  method: "POST",
  path: "/card-integrators/register-integrator",
  summary: "Register an integrator; sandbox only",
  kind: "public",
  scope: null,
  sandboxOnly: true,
  body: z.strictObject({
    business_name: text(),
    business_address: textOrEmpty(ADDRESS_MAX),
    contact_number: textOrEmpty(),
    country: text().describe("Best as an ISO 3166-1 alpha-2 code, for example US."),
    domain: z
      .union([domainSchema, z.literal("")])
      .nullable()
      .default("")
      .transform((given) => given ?? ""),
    email,
    first_name: text(),
    last_name: text(),
    password: passwordSchema,
    registration_number: textOrEmpty(),
    webhook_url: z
      .union([webhookUrlSchema, z.literal("").transform(() => null)])
      .nullable()
      .default(null),
    float_currencies: z
      .array(currencySchema)
      .length(1, "This field must contain exactly one currency.")
      .default(["USD"]),
    chain: z.unknown().optional().describe("Accepted and ignored."),
  }),
  status: 201,
  answer: z.strictObject({ data: registeredAccountSchema }),
  errors: [
    "email_already_registered",
    "rate_limited",
    "overloaded",
    "database_unavailable",
    "outcome_unknown",
  ],
});
