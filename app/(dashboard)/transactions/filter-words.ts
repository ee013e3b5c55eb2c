import { toCardTitle } from "../../ui/card-title.ts";
import type { Filter, FilterName } from "./filter.ts";
import type { Card } from "#lib/cards/card-resource.ts";
import { DECLINE_REASON_NAMES } from "#lib/transactions/decline-rules.ts";
import { formatMoney } from "#lib/base/money.ts";
import {
  POSTED_AS_NAMES,
  TRANSACTION_STATUS_NAMES,
  TRANSACTION_TYPE_NAMES,
} from "#lib/transactions/transaction-kinds.ts";

/**
 * The filters in words; the search has a field of its own.
 * @param card the card to filter by, if it exists.
 */
export function toFilterWords(
  filter: Filter,
  card: Card | undefined,
  currency: string,
): Readonly<Record<Exclude<FilterName, "search">, string | undefined>> {
  const money = (text: string) => formatMoney(Number(text), currency);
  return {
    type: filter.type && TRANSACTION_TYPE_NAMES[filter.type],
    status: filter.status && TRANSACTION_STATUS_NAMES[filter.status],
    decline_reason: filter.decline_reason && DECLINE_REASON_NAMES[filter.decline_reason],
    posted_as: filter.posted_as && toPostedAsName(filter.posted_as),
    card_id: filter.card_id && toCardWords(card),
    from: filter.from && `From ${filter.from}`,
    to: filter.to && `Through ${filter.to}`,
    amount_min: filter.amount_min && `At least ${money(filter.amount_min)}`,
    amount_max: filter.amount_max && `At most ${money(filter.amount_max)}`,
  };
}

/** How purchases were posted, as a filter. */
export function toPostedAsName(postedAs: NonNullable<Filter["posted_as"]>): string {
  return postedAs === "any" ? "Posted without approval" : POSTED_AS_NAMES[postedAs];
}

function toCardWords(card: Card | undefined): string {
  return card ? toCardTitle(card.cardName, card.last4) : "Unknown card";
}
