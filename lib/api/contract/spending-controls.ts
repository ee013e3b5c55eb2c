import { z } from "zod";
import { money, time } from "#lib/api/contract/internal/answer-members.ts";
import { isCountryCode } from "#lib/base/countries.ts";
import { logSafe } from "#lib/base/log-safe.ts";
import { amountSchema } from "#lib/base/money-schemas.ts";
import {
  CONTROLS_SOURCES,
  LIMIT_INTERVALS,
  LISTED_CODES_MAX,
  SPENDING_LIMITS_MAX,
} from "#lib/cards/spending-controls.ts";
import { CATEGORY_CODES } from "#lib/transactions/category-codes.ts";

/** What a card may buy, in requests and in answers. */

const interval = logSafe(z.enum(LIMIT_INTERVALS).meta({ id: "SpendingLimitInterval" })).describe(
  "What is counted together: one authorization, or all of a day, a week from Monday, a month, or a year in the time zone of the account, or of all time.",
);

const CATEGORY =
  "Each code must be the four digits of a merchant category of ISO 18245, such as 5814.";
const category = logSafe(
  z
    .string(CATEGORY)
    .refine((code) => CATEGORY_CODES.has(code), CATEGORY)
    .meta({ pattern: "^[0-9]{4}$", "x-rule": "A merchant category of ISO 18245." }),
);

const COUNTRY = "Each code must be an ISO 3166-1 alpha-2 country code, such as US.";
const country = logSafe(
  z
    .string(COUNTRY)
    .refine(isCountryCode, COUNTRY)
    .meta({ pattern: "^[A-Z]{2}$", "x-rule": "A country of ISO 3166-1." }),
);

const CODES = `This field must have 1 to ${LISTED_CODES_MAX} codes, or be null.`;

/** A list of codes; null and absent for none. */
function listOf(code: z.ZodType<string>) {
  return z
    .array(code)
    .min(1, CODES)
    .max(LISTED_CODES_MAX, CODES)
    .refine(
      (codes) => new Set(codes).size === codes.length,
      "This field must not name a code twice.",
    )
    .meta({ uniqueItems: true })
    .nullable()
    .default(null);
}

const LIMIT_AMOUNT = "The most that they may amount to, in minor units.";
const LIMIT_CATEGORIES = "The merchant categories that it is for; null for all purchases.";

const limit = z.strictObject({
  amount: amountSchema.describe(LIMIT_AMOUNT),
  interval,
  categories: listOf(category).describe(LIMIT_CATEGORIES),
});

const LISTS = {
  allowed_categories:
    "The only merchant categories to approve; a merchant without one is declined. Null for all.",
  blocked_categories:
    "The merchant categories to decline; a merchant without one is approved. Null for none.",
  allowed_merchant_countries:
    "The only merchant countries to approve; a merchant without one is declined. Null for all.",
  blocked_merchant_countries:
    "The merchant countries to decline; a merchant without one is approved. Null for none.",
} as const;

const LIMITS = `The limits, which all apply: at most ${SPENDING_LIMITS_MAX}, with at most ${LISTED_CODES_MAX} categories in all of them.`;

const LIST_PAIRS = [
  ["allowed_categories", "blocked_categories"],
  ["allowed_merchant_countries", "blocked_merchant_countries"],
] as const;

/** What a card may buy, as a request says it. Absent members control nothing. */
export const spendingControlsRequest = z
  .strictObject({
    spending_limits: z
      .array(limit)
      .max(SPENDING_LIMITS_MAX, `This field must have at most ${SPENDING_LIMITS_MAX} limits.`)
      .refine(
        (limits) => limits.flatMap(({ categories }) => categories ?? []).length <= LISTED_CODES_MAX,
        `All limits together must have at most ${LISTED_CODES_MAX} categories.`,
      )
      .default([])
      .describe(LIMITS),
    allowed_categories: listOf(category).describe(LISTS.allowed_categories),
    blocked_categories: listOf(category).describe(LISTS.blocked_categories),
    allowed_merchant_countries: listOf(country).describe(LISTS.allowed_merchant_countries),
    blocked_merchant_countries: listOf(country).describe(LISTS.blocked_merchant_countries),
  })
  .check(({ value, issues }) => {
    for (const [allowed, blocked] of LIST_PAIRS) {
      if (value[allowed] !== null && value[blocked] !== null) {
        issues.push({
          code: "custom",
          input: value,
          path: [blocked],
          message: `This field must be null while ${allowed} is set: only one of the two applies.`,
        });
      }
    }
  })
  .meta({
    allOf: LIST_PAIRS.map(([allowed, blocked]) => ({
      not: {
        properties: { [allowed]: { type: "array" }, [blocked]: { type: "array" } },
        required: [allowed, blocked],
      },
    })),
  });

const code = logSafe(z.string());

const lists = {
  allowed_categories: z.array(code).nullable().describe(LISTS.allowed_categories),
  blocked_categories: z.array(code).nullable().describe(LISTS.blocked_categories),
  allowed_merchant_countries: z.array(code).nullable().describe(LISTS.allowed_merchant_countries),
  blocked_merchant_countries: z.array(code).nullable().describe(LISTS.blocked_merchant_countries),
};

const limitShape = {
  amount: money.describe(LIMIT_AMOUNT),
  interval,
  categories: z.array(code).nullable().describe(LIMIT_CATEGORIES),
};

/** What a card without controls of its own may buy. */
export const spendingControlsSchema = z
  .strictObject({
    spending_limits: z
      .array(z.strictObject(limitShape).meta({ id: "SpendingLimit" }))
      .describe(LIMITS),
    ...lists,
  })
  .meta({ id: "SpendingControls" });

/** What a card may buy, and how much of it was bought. */
export const cardSpendingControlsSchema = z
  .strictObject({
    spending_limits: z
      .array(
        z
          .strictObject({
            ...limitShape,
            used: money
              .nullable()
              .describe(
                "How much of it is used in the current period, in minor units: it may be more than the amount, because captures are never refused. Null for a limit per authorization, in lists of cards, and in events.",
              ),
            resets_at: time
              .nullable()
              .describe(
                "When it starts anew, by the clock of the account. Null if it never does, and where used is null.",
              ),
          })
          .meta({ id: "CardSpendingLimit" }),
      )
      .describe(LIMITS),
    ...lists,
  })
  .meta({ id: "CardSpendingControls" });

export const controlsSource = logSafe(z.enum(CONTROLS_SOURCES)).describe(
  "Whose spending_controls apply: the card's own, those of the account, or none.",
);

export const SPENDING_CONTROLS = {
  spending_limits: [{ amount: 50_000, interval: "monthly", categories: null }],
  allowed_categories: null,
  blocked_categories: ["7995"],
  allowed_merchant_countries: null,
  blocked_merchant_countries: null,
};

export const CARD_SPENDING_CONTROLS = {
  ...SPENDING_CONTROLS,
  spending_limits: [
    {
      amount: 50_000,
      interval: "monthly",
      categories: null,
      used: 0,
      resets_at: "2026-12-01T00:00:00.000Z",
    },
  ],
};
