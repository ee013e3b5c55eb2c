import type { Elements } from "../../../ui/elements.ts";
import { toCardTitle } from "../../../ui/card-title.ts";
import type { BulkCard, Skipped } from "./bulk-card.ts";

/** The names of the cards that an action will change. */
export function CardNames({ title, cards }: { title: string; cards: readonly BulkCard[] }) {
  return (
    cards.length > 0 && (
      <Titled title={title}>
        <ul className="grid grid-cols-1 gap-x-6 gap-y-1 sm:grid-cols-2">
          {cards.map((card) => (
            <li className="truncate" key={card.id}>
              <bdi>{toCardTitle(card.name, card.last4)}</bdi>
            </li>
          ))}
        </ul>
      </Titled>
    )
  );
}

/** The cards that an action will skip, each with its reason. */
export function SkippedCards({ skipped }: { skipped: readonly Skipped[] }) {
  return (
    skipped.length > 0 && (
      <Titled title={`Skipped (${skipped.length})`}>
        <ul className="flex flex-col gap-1.5">
          {skipped.map(({ card, why }) => (
            <li key={card.id}>
              <bdi className="block truncate">{toCardTitle(card.name, card.last4)}</bdi>
              <span className="text-muted block text-xs">{why}</span>
            </li>
          ))}
        </ul>
      </Titled>
    )
  );
}

function Titled({ title, children }: { title: string; children: Elements }) {
  return (
    <section aria-label={title} className="border-separator flex flex-col gap-2 border-t pt-3">
      <h3 className="text-muted text-xs font-medium">{title}</h3>
      {children}
    </section>
  );
}
