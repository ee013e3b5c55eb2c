import { z } from "zod";
import { country, email, text, textOrEmpty } from "#lib/api/contract/fields.ts";
import { registeredAccountSchema, ACCOUNT as SAMPLE } from "#lib/api/contract/account.ts";
import { domainSchema, webhookUrlSchema } from "#lib/base/account-fields.ts";
import { currencySchema } from "#lib/base/money-schemas.ts";
import { ADDRESS_MAX } from "#lib/operations/account/parts.ts";
import { operation } from "#lib/operations/operation.ts";
import { passwordSchema } from "#lib/staff/password-rules.ts";

export const registerIntegrator = operation({
  id: "registerIntegrator",
  method: "POST",
  path: "/card-integrators/register-integrator",
  summary: "Register an integrator; sandbox only",
  description:
    "Creates an account, its float, the owner's sign-in, and a first API key, which is shown only here.",
  kind: "public",
  scope: null,
  sandboxOnly: true,
  body: z.strictObject({
    business_name: text(),
    business_address: textOrEmpty(ADDRESS_MAX),
    contact_number: textOrEmpty(),
    country,
    domain: z
      .union([domainSchema, z.literal("")])
      .nullable()
      .default("")
      .transform((given) => given ?? ""),
    email: email.describe("The email with which you sign in, as the account's first owner."),
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
    "database_unavailable",
    "database_full",
    "read_only",
    "outcome_unknown",
  ],
  examples: [
    {
      body: {
        business_name: "Northwind",
        business_address: "1 Harbour Street",
        contact_number: "+15550100",
        country: "US",
        domain: "northwind.example",
        email: "ada@northwind.example",
        first_name: "Ada",
        last_name: "Winter",
        password: "a long enough password",
        registration_number: "12345",
        float_currencies: ["USD"],
      },
      answer: {
        data: {
          ...SAMPLE,
          webhook_url: null,
          low_balance_threshold: null,
          api_key: "fd_test_3q2cJq0m9v5tq7B8kY1zX4wN6sR2hL0p",
        },
      },
    },
  ],
});
