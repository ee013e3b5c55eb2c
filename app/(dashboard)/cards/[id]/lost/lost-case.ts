import type { CardResource } from "../acts.ts";
import { formatMoney } from "#lib/base/money.ts";
import type { FreezeReason } from "#lib/cards/card-state.ts";
import { isProtectiveFreeze, toProtectionText } from "#lib/cards/protective-freeze.ts";

/** A purchase of the card, as the case shows it. */
export interface CasePurchase {
  id: string;
  name: string;
  amount: number;
  currency: string;
  status: string;
  /** As an RFC 3339 time. */
  at: string;
}

/** What has been established about a lost or stolen card. It outlives its dialog, which can be closed at any step. */
export interface LostCase {
  /** The purchases that somebody marked. */
  suspicious: readonly CasePurchase[];
  /** The ids of marked purchases that have a note. */
  noted: readonly string[];
  /** The freeze that was in effect, which ends when the card is closed. */
  freeze: CardResource["freeze"];
  outcome: Outcome | null;
}

/** The final outcome for the card. Amounts in minor units. */
export type Outcome =
  | { kind: "replaced"; by: CardResource }
  | { kind: "withdrawn"; amount: number }
  | { kind: "frozen" };

export const NEW_CASE: LostCase = { suspicious: [], noted: [], freeze: null, outcome: null };

/** The props of each step. */
export interface LostStep {
  card: CardResource;
  lost: LostCase;
  onLost: (lost: LostCase) => void;
  onClose: () => void;
}

/** The reasons to freeze a card in this flow. */
export const LOST_REASONS = [
  "stolen",
  "lost",
  "suspected_fraud",
  "compromised",
] as const satisfies readonly FreezeReason[];

/** Whether the card still has to be frozen: not if it is closed or frozen for protection. */
export function mustFreeze({ status, freezes }: CardResource): boolean {
  return status !== "closed" && !freezes.some(isProtectiveFreeze);
}

interface Words {
  toTime: (at: string) => string;
  /** The address of a card's page. */
  toAddress: (cardId: string) => string;
}

/** The case in words, to paste into a ticket. */
export function toCaseText(
  card: CardResource,
  { suspicious, freeze, outcome }: LostCase,
  { toTime, toAddress }: Words,
): string {
  return [
    `${card.card_name} •••• ${card.last4}: ${toAddress(card.id)}`,
    ...(freeze ? [`${toTime(freeze.frozen_at)}: ${toProtectionText(freeze)}`] : []),
    ...toPurchaseLines(suspicious, toTime),
    ...(outcome ? [toOutcomeLine(card, outcome, toAddress)] : []),
    ...(card.held > 0
      ? [
          `Open authorizations hold ${formatMoney(card.held, card.currency)} on the card and can still be captured.`,
        ]
      : []),
  ].join("\n");
}

/** The marked purchases, one per line. */
export function toPurchaseLines(
  purchases: readonly CasePurchase[],
  toTime: Words["toTime"],
): string[] {
  if (purchases.length === 0) {
    return [];
  }
  return [
    purchases.length === 1 ? "1 suspicious purchase:" : `${purchases.length} suspicious purchases:`,
    ...purchases.map(
      ({ name, amount, currency, status, at }) =>
        `- ${toTime(at)} · ${name} · ${formatMoney(amount, currency)} · ${status}`,
    ),
  ];
}

function toOutcomeLine(
  { currency }: CardResource,
  outcome: Outcome,
  toAddress: Words["toAddress"],
): string {
  if (outcome.kind === "replaced") {
    const { id, last4, balance } = outcome.by;
    const moved = balance > 0 ? ` with ${formatMoney(balance, currency)}` : "";
    return `Closed, and replaced by •••• ${last4}${moved}: ${toAddress(id)}`;
  }
  const still = "The card is still frozen.";
  return outcome.kind === "withdrawn"
    ? `${formatMoney(outcome.amount, currency)} withdrawn to the float. ${still}`
    : still;
}
