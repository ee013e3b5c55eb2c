import { readAmount, toTypedAmount } from "#lib/base/typed-amount.ts";
import type {
  LimitInterval,
  SpendingControls,
  SpendingLimit,
} from "#lib/cards/spending-controls.ts";

/** Spending controls while somebody edits them. */

export interface LimitDraft {
  /** Distinguishes the limits of a form. */
  key: number;
  /** As typed, in major units. */
  amount: string;
  interval: LimitInterval;
  /** The categories that it applies to; empty for all purchases. */
  categories: readonly string[];
}

export interface ListDraft {
  rule: "none" | "allowed" | "blocked";
  codes: readonly string[];
}

export interface ControlsDraft {
  limits: readonly LimitDraft[];
  categories: ListDraft;
  countries: ListDraft;
}

export function toDraft(controls: SpendingControls | null, currency: string): ControlsDraft {
  const limits = controls?.spending_limits ?? [];
  return {
    limits: limits.map(({ amount, interval, categories }, key) => ({
      key,
      amount: toTypedAmount(amount, currency),
      interval,
      categories: categories ?? [],
    })),
    categories: toListDraft(controls?.allowed_categories, controls?.blocked_categories),
    countries: toListDraft(
      controls?.allowed_merchant_countries,
      controls?.blocked_merchant_countries,
    ),
  };
}

function toListDraft(
  allowed: readonly string[] | null | undefined,
  blocked: readonly string[] | null | undefined,
): ListDraft {
  if (allowed) {
    return { rule: "allowed", codes: allowed };
  }
  return blocked ? { rule: "blocked", codes: blocked } : { rule: "none", codes: [] };
}

/** Adds an empty limit. */
export function withLimit(limits: readonly LimitDraft[]): readonly LimitDraft[] {
  const key = Math.max(-1, ...limits.map((limit) => limit.key)) + 1;
  return [...limits, { key, amount: "", interval: "monthly", categories: [] }];
}

/** The controls of a draft, or what is missing from it. */
export type ReadDraft =
  | { controls: SpendingControls; problem: null }
  | { controls: null; problem: string };

export function readDraft(draft: ControlsDraft, currency: string): ReadDraft {
  const problem = findProblem(draft, currency);
  if (problem !== null) {
    return { controls: null, problem };
  }
  const { limits, categories, countries } = draft;
  return {
    problem,
    controls: {
      spending_limits: limits.flatMap((limit) => toLimit(limit, currency)),
      allowed_categories: toCodes(categories, "allowed"),
      blocked_categories: toCodes(categories, "blocked"),
      allowed_merchant_countries: toCodes(countries, "allowed"),
      blocked_merchant_countries: toCodes(countries, "blocked"),
    },
  };
}

function findProblem({ limits, categories, countries }: ControlsDraft, currency: string) {
  if (limits.some(({ amount }) => readAmount(amount, currency).amount === null)) {
    return "Enter an amount for each limit.";
  }
  if (categories.rule !== "none" && categories.codes.length === 0) {
    return `Choose the ${categories.rule} categories.`;
  }
  if (countries.rule !== "none" && countries.codes.length === 0) {
    return `Choose the ${countries.rule} countries.`;
  }
  const isEmpty = limits.length === 0 && categories.rule === "none" && countries.rule === "none";
  return isEmpty ? "Add a limit, or choose categories or countries." : null;
}

function toLimit(
  { amount: text, interval, categories }: LimitDraft,
  currency: string,
): SpendingLimit[] {
  const { amount } = readAmount(text, currency);
  return amount === null
    ? []
    : [{ amount, interval, categories: categories.length === 0 ? null : [...categories] }];
}

function toCodes({ rule, codes }: ListDraft, wanted: ListDraft["rule"]): string[] | null {
  return rule === wanted ? [...codes] : null;
}
