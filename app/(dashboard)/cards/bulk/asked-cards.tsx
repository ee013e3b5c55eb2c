import type { Elements } from "../../../ui/elements.ts";
import { toCount, toPlan } from "./bulk-card.ts";
import type { BulkTarget, UnseenCards } from "./bulk-target.ts";
import { CardNames, SkippedCards } from "./card-names.tsx";

/** The cards that a job is requested for. */
interface Asked {
  source: UnseenCards["source"] | { items: { card_id: string }[] };
  /** The cards in the words of a button; null if there are none. */
  short: string | null;
  /** The lists of the cards that are known by name. */
  lists: Elements;
}

const TITLES = { freeze: "To be frozen", limit: "To be changed" } as const;

/** The cards of an action that needs no confirmation for any of them. */
export function toAsked(act: keyof typeof TITLES, target: BulkTarget): Asked {
  if (!("cards" in target)) {
    return { ...target, lists: null };
  }
  const { plain, skipped } = toPlan(act, target.cards);
  return {
    source: { items: plain.map(({ id }) => ({ card_id: id })) },
    short: plain.length > 0 ? toCount(plain.length) : null,
    lists: (
      <>
        <CardNames cards={plain} title={`${TITLES[act]} (${plain.length})`} />
        <SkippedCards skipped={skipped} />
      </>
    ),
  };
}
