/** What a card may buy, and how much of it was bought, as the database stores both. */

/** How long the purchases that a limit counts are counted together. */
export const LIMIT_INTERVALS = [
  "per_authorization",
  "daily",
  "weekly",
  "monthly",
  "yearly",
  "all_time",
] as const;

export type LimitInterval = (typeof LIMIT_INTERVALS)[number];

/** The most that purchases may amount to, in minor units. */
export interface SpendingLimit {
  amount: number;
  /** The merchant category codes that it is for; null for all purchases. */
  categories: string[] | null;
  interval: LimitInterval;
}

/** What a card may buy. Of two lists for the same, at most one is set. */
export interface SpendingControls {
  spending_limits: SpendingLimit[];
  allowed_categories: string[] | null;
  blocked_categories: string[] | null;
  allowed_merchant_countries: string[] | null;
  blocked_merchant_countries: string[] | null;
}

/**
 * What a card's rows count in one period of a limit, in minor units: all that count from `from` until before `to`, in
 * milliseconds of the integrator's clock, and have one of the categories. Null: without an end.
 */
export interface LimitUse extends Pick<SpendingLimit, "categories" | "interval"> {
  from: number | null;
  to: number | null;
  used: number;
}

/** What a card has used of its limits, and the time zone whose days cut the periods. */
export interface LimitUses {
  zone: string;
  limits: readonly LimitUse[];
}
