import { LIMIT_INTERVALS } from "#db/schema/spending-controls.ts";
import { capitalize } from "#lib/base/capitalize.ts";
import type {
  LimitInterval,
  LimitUse,
  SpendingControls,
  SpendingLimit,
} from "#db/schema/spending-controls.ts";

/** What a card may buy. */

export { LIMIT_INTERVALS };
export type { LimitInterval, SpendingControls, SpendingLimit };

/** How many limits a card has at most. */
export const SPENDING_LIMITS_MAX = 10;

/** How many codes a list has at most. */
export const LISTED_CODES_MAX = 300;

/** The intervals in words, for use before "limit". */
export const INTERVAL_NAMES: Readonly<Record<LimitInterval, string>> = {
  per_authorization: "per-authorization",
  daily: "daily",
  weekly: "weekly",
  monthly: "monthly",
  yearly: "yearly",
  all_time: "all-time",
};

/** `Monthly`. */
export function toIntervalTitle(interval: LimitInterval): string {
  return capitalize(INTERVAL_NAMES[interval]);
}

/** Where the controls of a card come from. */
export const CONTROLS_SOURCES = ["card", "account", "none"] as const;

export type ControlsSource = (typeof CONTROLS_SOURCES)[number];

/** The controls that apply to a card; null if it may buy anything. */
export interface CardControls {
  spendingControls: SpendingControls | null;
  spendingControlsSource: ControlsSource;
}

/** A card's own controls, or else those of its account, which are a default, not a ceiling. */
export function toCardControls(
  own: SpendingControls | null,
  ofAccount: SpendingControls | null,
): CardControls {
  if (own) {
    return { spendingControls: own, spendingControlsSource: "card" };
  }
  return {
    spendingControls: ofAccount,
    spendingControlsSource: ofAccount ? "account" : "none",
  };
}

/** The controls of a card itself; null if it has none. */
export function toOwnControls(card: CardControls): SpendingControls | null {
  return card.spendingControlsSource === "card" ? card.spendingControls : null;
}

/**
 * A card with these controls as its own. With null, it has none, even if its account has some: they are not known here.
 */
export function withOwnControls<C extends CardControls>(
  card: C,
  controls: SpendingControls | null,
): C {
  return { ...card, ...toCardControls(controls, null) };
}

/** Whether controls decline anything at all. */
export function hasControls({ spending_limits: limits, ...lists }: SpendingControls): boolean {
  return limits.length > 0 || Object.values(lists).some((codes) => codes !== null);
}

/** Whether lists permit a code. An unknown one is on no list. */
export function permits(
  { allowed, blocked }: Readonly<Record<"allowed" | "blocked", readonly string[] | null>>,
  code: string | null,
): boolean {
  if (code === null) {
    return allowed === null;
  }
  return (allowed?.includes(code) ?? true) && !blocked?.includes(code);
}

/** Whether a limit is for purchases of a category. */
export function isFor({ categories }: Pick<SpendingLimit, "categories">, code: string | null) {
  return categories === null || (code !== null && categories.includes(code));
}

/** Whether a limit counts purchases together, so that its use must be tracked. */
export function countsTogether({ interval }: Pick<SpendingLimit, "interval">): boolean {
  return interval !== "per_authorization";
}

/** When a limit resets; null if it never does. */
export function toResetsAt(use: Pick<LimitUse, "to"> | undefined): Date | null {
  return use === undefined || use.to === null ? null : new Date(use.to);
}
