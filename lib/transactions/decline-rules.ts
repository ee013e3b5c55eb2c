import type { CardStatus } from "#lib/cards/card-state.ts";
import { formatMoney } from "#lib/base/money.ts";

/** Why a card transaction can be declined, in the order in which the reasons are looked for. */
export const DECLINE_REASONS = [
  "card_unknown",
  "integrator_suspended",
  "card_closed",
  "card_expired",
  "card_frozen",
  "single_use_spent",
  "currency_mismatch",
  "insufficient_funds",
] as const;

export type DeclineReason = (typeof DECLINE_REASONS)[number];

/** The reasons as people read them. */
export const DECLINE_REASON_NAMES: Readonly<Record<DeclineReason, string>> = {
  card_unknown: "Card unknown",
  integrator_suspended: "Account suspended",
  card_closed: "Card closed",
  card_expired: "Card expired",
  card_frozen: "Card frozen",
  single_use_spent: "Single-use card spent",
  currency_mismatch: "Other currency",
  insufficient_funds: "Not enough available",
};

/** Also of a reason that a later version of the server wrote down. */
export function toDeclineReasonName(reason: string): string {
  const known = DECLINE_REASONS.find((each) => each === reason);
  return known ? DECLINE_REASON_NAMES[known] : reason;
}

/** A card as its lock showed it, and what is asked of it. Amounts in minor units. */
export interface Spending {
  suspended: boolean;
  status: CardStatus;
  expired: boolean;
  singleUse: boolean;
  held: number;
  available: number;
  cardCurrency: string;
  amount: number;
  currency: string;
}

/** A decline: its reason, and one sentence with the rule, what was the case, and what to do about it. */
export interface Decline {
  reason: DeclineReason;
  explanation: string;
}

interface Rule {
  reason: DeclineReason;
  applies: (spending: Spending) => boolean;
  explain: (spending: Spending) => string;
}

/**
 * The rules that look at a card, in their order. A card that is nobody's meets none of them: without an integrator there
 * is nothing to look at, see `lib/processor`.
 */
const RULES: readonly Rule[] = [
  {
    reason: "integrator_suspended",
    applies: ({ suspended }) => suspended,
    explain: () =>
      "The cards of a suspended account decline every transaction, and this account was suspended; ask the operator of this installation to resume it.",
  },
  {
    reason: "card_closed",
    applies: ({ status }) => status === "closed",
    explain: () =>
      "A closed card declines every transaction, and this card was closed for good; create another card.",
  },
  {
    reason: "card_expired",
    applies: ({ expired }) => expired,
    explain: () =>
      "An expired card declines every transaction, and this card had passed its expiry; create another card.",
  },
  {
    reason: "card_frozen",
    applies: ({ status }) => status === "frozen",
    explain: () =>
      "A frozen card declines every new transaction, and this card was frozen at that moment; unfreeze it to let new ones through.",
  },
  {
    reason: "single_use_spent",
    applies: ({ singleUse, held }) => singleUse && held > 0,
    explain: () =>
      "A single-use card takes one purchase, and this card had one under way; create another card for the next purchase.",
  },
  {
    reason: "currency_mismatch",
    applies: ({ currency, cardCurrency }) => currency !== cardCurrency,
    explain: ({ currency, cardCurrency }) =>
      `A card is charged in its own currency, and ${currency} was asked of a card in ${cardCurrency}; ask the merchant to charge in ${cardCurrency}.`,
  },
  {
    reason: "insufficient_funds",
    applies: ({ amount, available }) => amount > available,
    explain: ({ amount, available, cardCurrency }) =>
      `A card pays with what it has available, and ${formatMoney(amount, cardCurrency)} was asked of ${formatMoney(available, cardCurrency)}; credit the card and have the purchase tried again.`,
  },
];

/** The first rule that declines a transaction, or null: it is approved. */
export function findDecline(spending: Spending): Decline | null {
  const rule = RULES.find(({ applies }) => applies(spending));
  return rule ? { reason: rule.reason, explanation: rule.explain(spending) } : null;
}
