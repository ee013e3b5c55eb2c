import { SpendPanel } from "./spend-panel.tsx";
import { Panel } from "../../ui/panel.tsx";
import { toCardTitles } from "../../ui/card-title.ts";
import { toDaysTitle } from "../../statement/period-title.ts";
import type { NamedCard } from "#lib/cards/card-names.ts";
import type { TopCards } from "#lib/overview/top-cards.ts";

/** The cards with which the most was spent. Each row leads to its transactions. */
export function CardsPanel({
  top: { cards, cardCount, whole, since },
  names,
  currency,
  posted,
}: {
  top: TopCards;
  names: readonly NamedCard[];
  currency: string;
  /** The days of the period, as filters of the list of transactions. */
  posted: Readonly<Record<"posted_from" | "posted_to", string>>;
}) {
  const titles = toCardTitles(names);
  const note = toNote({ cards, cardCount, since });
  if (cards.length === 0) {
    return <Panel title="By card">{note}</Panel>;
  }
  return (
    <SpendPanel
      currency={currency}
      member="card_id"
      note={note && <div className="px-4 pb-3">{note}</div>}
      posted={since === null ? posted : { ...posted, posted_from: since }}
      sums={cards.map(({ cardId, ...sum }) => ({ ...sum, name: cardId }))}
      title="By card"
      toName={(id) => titles.get(id) ?? id}
      whole={whole}
    />
  );
}

/** What of the period, and which of the cards, are not shown. */
function toNote({ cards, cardCount, since }: Omit<TopCards, "whole">) {
  const parts = [
    cardCount > cards.length && `The top ${cards.length} of ${cardCount} cards.`,
    since !== null &&
      (cards.length > 0
        ? `From ${toDaysTitle({ first: since, last: since })} on: only the newest movements of funds are counted by card.`
        : "There are too many movements of funds on one day to count them by card."),
  ].filter((part) => part !== false);
  return parts.length > 0 && <p className="text-muted">{parts.join(" ")}</p>;
}
