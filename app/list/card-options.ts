import type { Option } from "./field.ts";
import { toCardTitle } from "../ui/card-title.ts";
import type { Card } from "#lib/cards/card-resource.ts";

/** Names the card that a list is filtered by, if there is one. */
export function toCardOptions(card: Card | undefined): readonly Option[] {
  return card ? [{ id: card.id, name: toCardTitle(card.cardName, card.last4) }] : [];
}
