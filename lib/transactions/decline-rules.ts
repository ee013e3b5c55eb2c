import type { CardStatus } from "#lib/cards/card-state.ts";
import { formatMoney } from "#lib/base/money.ts";
import {
  explainLimit,
  explainList,
  isExceeded,
  isPermitted,
} from "#lib/transactions/controlled-spending.ts";
import type { ControlledSpending } from "#lib/transactions/controlled-spending.ts";

/** Why a card transaction can be declined, in the order in which the rules are evaluated. */
export const DECLINE_REASONS = [
  "card_unknown",
  "reversed_before",
  "integrator_suspended",
  "card_closed",
  "card_expired",
  "card_frozen",
  "single_use_spent",
  "currency_mismatch",
  "category_blocked",
  "country_blocked",
  "limit_exceeded",
  "insufficient_funds",
] as const;

export type DeclineReason = (typeof DECLINE_REASONS)[number];

/** The reasons that say nothing about how a card is used. */
const UNCOUNTED: ReadonlySet<DeclineReason> = new Set([
  "card_unknown",
  "reversed_before",
  "integrator_suspended",
  "card_closed",
  "card_frozen",
]);

/** The reasons that can count toward an automatic freeze. */
export const COUNTED_REASONS = DECLINE_REASONS.filter((reason) => !UNCOUNTED.has(reason));

/** The reasons in words for people. */
export const DECLINE_REASON_NAMES: Readonly<Record<DeclineReason, string>> = {
  card_unknown: "Unknown card",
  reversed_before: "Already reversed",
  integrator_suspended: "Account suspended",
  card_closed: "Card closed",
  card_expired: "Card expired",
  card_frozen: "Card frozen",
  single_use_spent: "Single-use card already used",
  currency_mismatch: "Currency mismatch",
  category_blocked: "Category blocked",
  country_blocked: "Country blocked",
  limit_exceeded: "Spending limit exceeded",
  insufficient_funds: "Insufficient funds",
};

/** The reason's name for people, or the reason itself when a later version of the server recorded it. */
export function toDeclineReasonName(reason: string): string {
  const known = DECLINE_REASONS.find((each) => each === reason);
  return known ? DECLINE_REASON_NAMES[known] : reason;
}

/** A locked card and the transaction requested on it. Amounts in minor units. */
export interface Spending {
  reversedBefore: boolean;
  suspended: boolean;
  booksUnbalanced: boolean;
  status: CardStatus;
  expired: boolean;
  singleUse: boolean;
  /** What other purchases hold. */
  heldByOthers: number;
  available: number;
  cardCurrency: string;
  amount: number;
  currency: string;
  /** Null while the card may buy everything. */
  controlled: ControlledSpending | null;
}

/** A decline: its reason, and one sentence with the rule, the case, and the remedy. */
export interface Decline {
  reason: DeclineReason;
  explanation: string;
  /** How much could be approved instead, in minor units. Zero unless only limits or funds are in the way. */
  approvable: number;
  /** Whether the sandbox's caller asked for the decline. Nothing about the card then needs to change. */
  forced: boolean;
}

/** A decline for a chosen reason, whatever the card's rules say. */
export function toForcedDecline(reason: DeclineReason): Decline {
  return {
    reason,
    explanation: `${DECLINE_REASON_NAMES[reason]}: forced in the sandbox, whatever the card's state. Simulate without a forced reason to apply the card's rules.`,
    approvable: 0,
    forced: true,
  };
}

interface Rule {
  reason: DeclineReason;
  applies: (spending: Spending) => boolean;
  explain: (spending: Spending) => string;
  /** Whether a part of the amount may be approved instead. */
  isPartial?: boolean;
}

/**
 * The rules that check a card, in order. None of them applies to an unknown card: without an integrator there is
 * nothing to check. See `lib/processor`.
 */
const RULES: readonly Rule[] = [
  {
    reason: "reversed_before",
    applies: ({ reversedBefore }) => reversedBefore,
    explain: () =>
      "The card network reversed this authorization before it arrived. There is nothing to do.",
  },
  {
    reason: "integrator_suspended",
    applies: ({ suspended }) => suspended,
    explain: () =>
      "This account is suspended, so its cards are declined. Ask the operator of this installation to resume it.",
  },
  {
    reason: "integrator_suspended",
    applies: ({ booksUnbalanced }) => booksUnbalanced,
    explain: () =>
      "The last ledger check of this account found a discrepancy, so its cards are declined until it is resolved.",
  },
  {
    reason: "card_closed",
    applies: ({ status }) => status === "closed",
    explain: () => "The card is permanently closed. Create another card.",
  },
  {
    reason: "card_expired",
    applies: ({ expired }) => expired,
    explain: () => "The card has expired. Create another card.",
  },
  {
    reason: "card_frozen",
    applies: ({ status }) => status === "frozen",
    explain: () => "The card was frozen. Find out why before you unfreeze it.",
  },
  {
    reason: "single_use_spent",
    applies: ({ singleUse, heldByOthers }) => singleUse && heldByOthers > 0,
    explain: () =>
      "The card is single-use and already has a purchase in progress. Create another card.",
  },
  {
    reason: "currency_mismatch",
    applies: ({ currency, cardCurrency }) => currency !== cardCurrency,
    explain: ({ currency, cardCurrency }) =>
      `Charged in ${currency}, but the card is in ${cardCurrency}. Ask the merchant to charge in ${cardCurrency}.`,
  },
  {
    reason: "category_blocked",
    applies: ({ controlled }) => !isPermitted(controlled, "category"),
    explain: ({ controlled }) => explainList(controlled, "category"),
  },
  {
    reason: "country_blocked",
    applies: ({ controlled }) => !isPermitted(controlled, "country"),
    explain: ({ controlled }) => explainList(controlled, "country"),
  },
  {
    reason: "limit_exceeded",
    // A verification needs nothing, and neither does an authorization that earlier captures have used up.
    applies: ({ controlled, amount }) => amount > 0 && isExceeded(controlled),
    explain: ({ controlled, cardCurrency }) => explainLimit(controlled, cardCurrency),
    isPartial: true,
  },
  {
    reason: "insufficient_funds",
    applies: ({ amount, available }) => amount > available,
    explain: ({ amount, available, cardCurrency }) =>
      `Needs ${formatMoney(amount, cardCurrency)}, has ${formatMoney(available, cardCurrency)}. Credit the card and retry.`,
    isPartial: true,
  },
];

/** The first rule that declines a transaction, or null when it is approved. */
export function findDecline(spending: Spending): Decline | null {
  const rule = RULES.find(({ applies }) => applies(spending));
  if (!rule) {
    return null;
  }
  const { reason, explain, isPartial = false } = rule;
  const approvable = isPartial ? Math.max(0, toApprovable(spending)) : 0;
  return { reason, explanation: explain(spending), approvable, forced: false };
}

/** Why controls alone decline a transaction for this amount, or null. */
export function findControlReason(
  controlled: ControlledSpending,
  amount: number,
): DeclineReason | null {
  const spending = { ...UNCONTROLLED, amount, available: amount, controlled };
  return RULES.find(({ applies }) => applies(spending))?.reason ?? null;
}

/** A card that only its controls and funds can decline. */
const UNCONTROLLED: Omit<Spending, "amount" | "available" | "controlled"> = {
  reversedBefore: false,
  suspended: false,
  booksUnbalanced: false,
  status: "active",
  expired: false,
  singleUse: false,
  heldByOthers: 0,
  cardCurrency: "",
  currency: "",
};

/** How much both the tightest limit and the card's funds allow, in minor units. */
function toApprovable({ amount, available, controlled }: Spending): number {
  const limit = controlled?.limit;
  return limit ? Math.min(available, limit.left - limit.needed + amount) : available;
}
