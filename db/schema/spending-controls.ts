/** What a card may buy, and how much of it was bought, as the database stores both. */

/** The periods over which a limit adds up purchases. */
export const LIMIT_INTERVALS = [
  "per_authorization",
  "daily",
  "weekly",
  "monthly",
  "yearly",
  "all_time",
] as const;

export type LimitInterval = (typeof LIMIT_INTERVALS)[number];

/** A maximum for the sum of purchases, in minor units. */
export interface SpendingLimit {
  amount: number;
  /** The merchant category codes that it applies to; null for all purchases. */
  categories: string[] | null;
  interval: LimitInterval;
}

/** What a card may buy. At most one of `allowed_…` and `blocked_…` is set for the same thing. */
export interface SpendingControls {
  spending_limits: SpendingLimit[];
  allowed_categories: string[] | null;
  blocked_categories: string[] | null;
  allowed_merchant_countries: string[] | null;
  blocked_merchant_countries: string[] | null;
}

/**
 * What a card has used of a limit in one period, in minor units: the sum of what its rows count from `from`
 * (inclusive) to `to` (exclusive) in one of the categories. Times are in milliseconds of the integrator's clock; null
 * is without an end.
 */
export interface LimitUse extends Pick<SpendingLimit, "categories" | "interval"> {
  from: number | null;
  to: number | null;
  used: number;
}

/** What a card has used of its limits, and the time zone whose days delimit the periods. */
export interface LimitUses {
  zone: string;
  limits: readonly LimitUse[];
}
