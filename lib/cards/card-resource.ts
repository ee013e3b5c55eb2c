import type { ActorRef } from "#lib/base/actor.ts";
import type { CardStatus, FreezeReason } from "#lib/cards/card-state.ts";

/** Since when a card is frozen, the gravest reason for it, and who gave that reason. */
export interface Freeze {
  frozenAt: Date;
  reason: FreezeReason | null;
  comment: string | null;
  actor: ActorRef;
  /** All reasons that were given since, in order. */
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
  status: CardStatus;
  /** Increases by 1 with each change of the status and each amendment of a freeze. */
  statusVersion: number;
  freeze: Freeze | null;
  balance: number;
  held: number;
  /** The balance minus held funds. */
  available: number;
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
    balance: card.balance,
    held: card.held,
    available: card.available,
    metadata: card.metadata,
    created_at: card.createdAt.toISOString(),
    updated_at: card.updatedAt.toISOString(),
  };
}

export function toFreezeResource({ frozenAt, reason, comment, actor }: Freeze) {
  return { frozen_at: frozenAt.toISOString(), reason, comment, actor };
}

/** The expiry date as printed on a card: `MM/YY`. */
function toValidThru(expiry: string): string {
  return `${expiry.slice(5, 7)}/${expiry.slice(2, 4)}`;
}
