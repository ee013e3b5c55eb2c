import { toDay } from "../../ui/day-range.ts";
import type { DayRange } from "../../ui/day-range.ts";
import { toId } from "../../ui/search-params.ts";
import type { Param } from "../../ui/search-params.ts";
import { toCardTitle } from "../../ui/card-title.ts";
import type { Card } from "#lib/cards/card-resource.ts";
import { FLOAT_KIND_NAMES, FLOAT_KINDS } from "#lib/funds/float-kinds.ts";
import type { FloatKind } from "#lib/funds/float-kinds.ts";

/** The members of the statement's URL that filter it. */
export interface Filter extends DayRange {
  kind?: FloatKind | undefined;
  card_id?: string | undefined;
}

export type FilterName = keyof Filter;

/** Filters from the URL; invalid values are ignored. */
export function toFilter(search: Readonly<Partial<Record<FilterName, Param>>>): Filter {
  return {
    kind: FLOAT_KINDS.find((each) => each === search.kind),
    card_id: toId(search.card_id)?.toLowerCase(),
    from: toDay(search.from),
    to: toDay(search.to),
  };
}

/**
 * The filters in words.
 * @param card the card to filter by, if it exists.
 */
export function toFilterWords(
  { kind, card_id: cardId, from, to }: Filter,
  card: Card | undefined,
): Readonly<Record<FilterName, string | undefined>> {
  return {
    kind: kind && FLOAT_KIND_NAMES[kind],
    card_id: cardId && (card ? toCardTitle(card.cardName, card.last4) : "Unknown card"),
    from: from && `From ${from}`,
    to: to && `Through ${to}`,
  };
}
