import { moneyCell } from "#lib/base/cell.ts";
import type { Cells } from "#lib/base/cell.ts";
import { toDecimal } from "#lib/base/money.ts";
import type { ActorRef } from "#lib/base/actor.ts";
import { countsTogether, toResetsAt } from "#lib/cards/spending-controls.ts";
import type { ControlsSource, SpendingControls } from "#lib/cards/spending-controls.ts";
import type { LimitUses } from "#db/schema/spending-controls.ts";
import type { CardStatus, FreezeLevel, FreezeReason } from "#lib/cards/card-state.ts";

/** A standing freeze of a card. A card has at most one for each level. */
export interface Freeze {
  level: FreezeLevel;
  frozenAt: Date;
  /** When it ends automatically, by the integrator's clock; null if it does not. */
  until: Date | null;
  /** The gravest of its reasons. The comment and the actor belong to this reason. */
  reason: FreezeReason | null;
  comment: string | null;
  actor: ActorRef;
  /** All reasons given for it, in order. */
  reasons: readonly FreezeReason[];
}

/** A card in the domain. Amounts in minor units. The server never has the full card number or the CVV. */
export interface Card {
  id: string;
  integratorId: string;
  cardholderId: string;
  cardName: string;
  firstSix: string;
  last4: string;
  cardType: "virtual";
  currency: string;
  designType: string;
  expiresAt: Date;
  singleUse: boolean;
  provider: string;
  /** How many days it was valid for when it was issued. */
  validityDays: number;
  /** The card that it was issued to replace. */
  replaces: string | null;
  /** The card that was issued to replace it. */
  replacedBy: string | null;
  status: CardStatus;
  /** Increases by 1 with each freeze, each amendment of one, each lift, and when the card is closed. */
  statusVersion: number;
  /** The gravest of its standing freezes. */
  freeze: Freeze | null;
  /** The standing freezes, gravest first. */
  freezes: readonly Freeze[];
  balance: number;
  held: number;
  /** The balance minus held funds. */
  available: number;
  /** How much of its purchases the float and the deficit covered and have not got back. */
  coverOutstanding: number;
  /** What it may buy; null if it may buy anything. */
  spendingControls: SpendingControls | null;
  spendingControlsSource: ControlsSource;
  /** What it has used of the limits that count purchases together; null if that was not read. */
  limitUses: LimitUses | null;
  metadata: Record<string, string>;
  createdAt: Date;
  updatedAt: Date;
}

/** The card as API responses and notifications show it: snake_case, times in RFC 3339. */
export function toCardResource(card: Card) {
  const expiry = card.expiresAt.toISOString();
  return {
    id: card.id,
    business_id: card.integratorId,
    user_id: card.cardholderId,
    card_name: card.cardName,
    card_number: `${card.firstSix}******${card.last4}`,
    last4: card.last4,
    card_type: card.cardType,
    currency: card.currency,
    cvv2: null,
    design_type: card.designType,
    expiry,
    valid: toValidThru(expiry),
    single_use: card.singleUse,
    provider: card.provider,
    status: card.status,
    status_version: card.statusVersion,
    freeze: card.freeze && toFreezeResource(card.freeze),
    freezes: card.freezes.map(toFreezeResource),
    balance: card.balance,
    held: card.held,
    available: card.available,
    cover_outstanding: card.coverOutstanding,
    spending_controls: toSpendingControlsResource(card),
    spending_controls_source: card.spendingControlsSource,
    metadata: card.metadata,
    replaces: card.replaces,
    replaced_by: card.replacedBy,
    created_at: card.createdAt.toISOString(),
    updated_at: card.updatedAt.toISOString(),
  };
}

/**
 * The card as events show it, without the uses of its limits: those change with each purchase, which has its own event.
 */
export function toCardEventData(card: Card) {
  return toCardResource({ ...card, limitUses: null });
}

function toSpendingControlsResource({ spendingControls, limitUses }: Card) {
  if (!spendingControls) {
    return null;
  }
  const kept = (limitUses?.limits ?? []).values();
  return {
    // In alphabetical order, for the reason given at `toFreezeResource`.
    spending_limits: spendingControls.spending_limits.map((limit) => {
      const { amount, categories, interval } = limit;
      const use = countsTogether(limit) ? kept.next().value : undefined;
      return {
        amount,
        categories,
        interval,
        resets_at: toResetsAt(use)?.toISOString() ?? null,
        used: use?.used ?? null,
      };
    }),
    allowed_categories: spendingControls.allowed_categories,
    blocked_categories: spendingControls.blocked_categories,
    allowed_merchant_countries: spendingControls.allowed_merchant_countries,
    blocked_merchant_countries: spendingControls.blocked_merchant_countries,
  };
}

/**
 * Members are in alphabetical order, because older webhook receivers sort members for the checksum, but not within
 * arrays.
 */
export function toFreezeResource({ actor, comment, frozenAt, level, reason, until }: Freeze) {
  const { id, name, type } = actor;
  return {
    actor: { id, name, type },
    comment,
    frozen_at: frozenAt.toISOString(),
    level,
    reason,
    until: until?.toISOString() ?? null,
  };
}

/** The expiry date as printed on a card: `MM/YY`. */
function toValidThru(expiry: string): string {
  return `${expiry.slice(5, 7)}/${expiry.slice(2, 4)}`;
}

/** The columns of a spreadsheet of cards. A new one goes to the end. */
export const CARD_CELLS: Cells<Card> = {
  id: (card) => card.id,
  name: (card) => card.cardName,
  last4: (card) => card.last4,
  status: (card) => card.status,
  currency: (card) => card.currency,
  balance: (card) => moneyCell(card.balance, card.currency),
  held: (card) => moneyCell(card.held, card.currency),
  available: (card) => moneyCell(card.available, card.currency),
  single_use: (card) => String(card.singleUse),
  expires_at: (card) => card.expiresAt,
  created_at: (card) => card.createdAt,
  frozen_at: (card) => card.freeze?.frozenAt ?? null,
  freeze_reason: (card) => card.freeze?.reason ?? null,
  user_id: (card) => card.cardholderId,
  freeze_levels: (card) => card.freezes.map(({ level }) => level).join(" "),
  freeze_until: (card) => card.freeze?.until ?? null,
  cover_outstanding: (card) => moneyCell(card.coverOutstanding, card.currency),
  spending_controls_source: (card) => card.spendingControlsSource,
  spending_limits: toLimitsCell,
  allowed_categories: (card) => card.spendingControls?.allowed_categories?.join(" ") ?? null,
  blocked_categories: (card) => card.spendingControls?.blocked_categories?.join(" ") ?? null,
  allowed_merchant_countries: (card) =>
    card.spendingControls?.allowed_merchant_countries?.join(" ") ?? null,
  blocked_merchant_countries: (card) =>
    card.spendingControls?.blocked_merchant_countries?.join(" ") ?? null,
};

/** `500.00 monthly; 50.00 daily 5411 5814`. */
function toLimitsCell({ spendingControls, currency }: Card): string | null {
  const limits = spendingControls?.spending_limits ?? [];
  const texts = limits.map(({ amount, interval, categories }) =>
    [toDecimal(amount, currency), interval, ...(categories ?? [])].join(" "),
  );
  return texts.length === 0 ? null : texts.join("; ");
}
