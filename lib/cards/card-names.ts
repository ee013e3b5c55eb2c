import { and, eq, inArray } from "drizzle-orm";
import type { ReadContext } from "#lib/base/context.ts";
import { cards } from "#db/schema/cards.ts";

/** What a list shows of a card when it only names it. */
export interface NamedCard {
  cardId: string;
  cardName: string;
  last4: string;
}

/** Reads the names of cards, in the order of the ids. Cards that do not exist are left out. */
export async function readCardNames(
  { db, actor }: ReadContext,
  ids: readonly string[],
): Promise<NamedCard[]> {
  if (ids.length === 0) {
    return [];
  }
  const named = await db
    .select({ cardId: cards.id, cardName: cards.cardName, last4: cards.last4 })
    .from(cards)
    .where(and(eq(cards.integratorId, actor.integratorId), inArray(cards.id, [...ids])));
  const byId = new Map(named.map((card) => [card.cardId, card]));
  return ids.flatMap((id) => byId.get(id) ?? []);
}

/** A named card as API responses show it. */
export function toNamedCardResource({ cardId, cardName, last4 }: NamedCard) {
  return { card_id: cardId, card_name: cardName, last4 };
}
