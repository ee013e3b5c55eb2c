import { toExactTime } from "../ui/time-format.ts";
import { toNetAmount } from "#lib/transactions/net-amount.ts";
import type { Card } from "#lib/cards/card-resource.ts";
import type { CardStatus } from "#lib/cards/card-state.ts";
import { formatMoney } from "#lib/base/money.ts";
import type { TimelineEntry } from "#lib/transactions/card-activity.ts";
import { toOpenHold } from "#lib/transactions/transaction-resource.ts";
import { DECLINE_REASONS } from "#lib/transactions/decline-rules.ts";
import type { DeclineReason } from "#lib/transactions/decline-rules.ts";
import type { TransactionStatus } from "#lib/transactions/transaction-kinds.ts";
import type { Transaction } from "#lib/transactions/transactions.ts";

/**
 * A card's history in words for its holder: oldest first, with the current state at the end. It never contains the
 * reason for a freeze, who did what, a narrative, a refused request, a note, or an id: those are for staff.
 */
export function toCardSummary(
  card: Card,
  newestFirst: readonly TimelineEntry[],
  timeZone: string,
): string {
  const lines = newestFirst.toReversed().flatMap((activity) => {
    const sentence = toSentence(activity);
    return sentence === null ? [] : [`${toExactTime(activity.createdAt, timeZone)}: ${sentence}`];
  });
  return [
    `Recent activity on ${card.cardName}’s card ending in ${card.last4}`,
    "",
    ...(lines.length === 0 ? ["No recent activity."] : lines),
    "",
    `${STATES[card.status]} Available balance: ${formatMoney(card.available, card.currency)}.`,
  ].join("\n");
}

const STATES: Readonly<Record<CardStatus, string>> = {
  active: "The card is active.",
  frozen: "The card is frozen, so new purchases are declined.",
  closed: "The card is closed.",
};

function toSentence(entry: TimelineEntry): string | null {
  if (entry.type === "transaction") {
    return toTransactionSentence(entry.transaction);
  }
  // The sentence of an authorization covers its capture as well.
  if (entry.type !== "state_change") {
    return null;
  }
  const { from, to } = entry.stateChange;
  if (from === to) {
    return null;
  }
  return from === null ? "The card was created." : CHANGES[to];
}

const CHANGES: Readonly<Record<CardStatus, string>> = {
  active: "The card was unfrozen and can be used again.",
  frozen: "The card was frozen. New purchases are declined until it is unfrozen.",
  closed: "The card was closed permanently.",
};

function toTransactionSentence(transaction: Transaction): string {
  const { type, status, coverOf, takesBack } = transaction;
  const moved = formatMoney(Math.abs(toNetAmount(transaction)), transaction.currency);
  if (coverOf !== null) {
    return type === "credit"
      ? `${moved} was added by the card’s issuer to pay for a purchase.`
      : `${moved} went back to the card’s issuer, who had paid it.`;
  }
  if (type === "credit") {
    return `${moved} was added to the card.`;
  }
  if (type === "debit") {
    return `${moved} was moved off the card.`;
  }
  if (type === "verification") {
    return toVerificationSentence(transaction);
  }
  if (takesBack !== null) {
    return type === "deduct"
      ? `${moved} was charged again because a refund${toMerchant(transaction, "by")} was taken back.`
      : `${moved} came back to the card because a purchase${toMerchant(transaction)} was taken back.`;
  }
  return type === "deduct"
    ? PURCHASES[status](transaction)
    : `${moved} was refunded to the card${toMerchant(transaction, "by")}.`;
}

const PURCHASES: Readonly<Record<TransactionStatus, (purchase: Transaction) => string>> = {
  authorized: (purchase) =>
    `A purchase of ${toAmount(purchase)}${toMerchant(purchase)} was approved. ${formatMoney(toOpenHold(purchase), purchase.currency)} is on hold until the merchant collects it.`,
  captured: (purchase) =>
    `A purchase of ${toAmount(purchase)}${toMerchant(purchase)} was approved after it had been paid.`,
  settled: (purchase) =>
    `${formatMoney(Math.abs(toNetAmount(purchase)), purchase.currency)} was paid${toMerchant(purchase)}.`,
  declined: (purchase) =>
    `A purchase of ${toAmount(purchase)}${toMerchant(purchase)} was declined because ${toDecline(purchase)}.`,
  reversed: (purchase) =>
    `A purchase of ${toAmount(purchase)}${toMerchant(purchase)} was canceled, and the amount is available again.`,
  expired: (purchase) =>
    `A purchase of ${toAmount(purchase)}${toMerchant(purchase)} was never collected, and the amount is available again.`,
};

function toVerificationSentence(verification: Transaction): string {
  const who = toMerchant(verification, "by");
  return verification.status === "declined"
    ? `A check of the card${who} was declined because ${toDecline(verification)}.`
    : `The card was checked${who}. Nothing was charged.`;
}

function toAmount({ amount, currency }: Transaction): string {
  return formatMoney(amount, currency);
}

function toMerchant({ merchant }: Transaction, preposition = "at"): string {
  return merchant ? ` ${preposition} ${merchant.name}` : "";
}

const DECLINES: Readonly<Record<DeclineReason, string>> = {
  card_unknown: "the card was not recognized",
  reversed_before: "the merchant had canceled it already",
  integrator_suspended: "the card was temporarily unavailable",
  card_closed: "the card was closed",
  card_expired: "the card had expired",
  card_frozen: "the card was frozen",
  single_use_spent: "the card is for a single purchase and was already used",
  currency_mismatch: "the purchase was not in the card’s currency",
  category_blocked: "the card is not for that kind of merchant",
  country_blocked: "the card is not for merchants in that country",
  limit_exceeded: "the card’s spending limit was reached",
  insufficient_funds: "the card’s available balance was too low",
};

function toDecline({ declineReason }: Transaction): string {
  const known = DECLINE_REASONS.find((each) => each === declineReason);
  return known ? DECLINES[known] : "the card could not be used";
}
