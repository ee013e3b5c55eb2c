import type { Elements } from "../../../ui/elements.ts";
import { Figure } from "../../../ui/figure.tsx";
import { Money } from "../../../ui/money.tsx";
import { CardholderLabel } from "../cardholder-label.tsx";
import type { Labeled } from "../cardholder-label.tsx";
import type { CardholderTotals } from "#lib/cards/cardholder-cards.ts";

/** The cardholder, the totals of their cards, and the actions. */
export function CardholderSummary({
  name,
  cardholder,
  totals,
  currency,
  actions,
}: {
  name: string;
  cardholder: Labeled;
  totals: CardholderTotals;
  /** The currency of zero totals while there are no cards. */
  currency: string;
  actions: Elements;
}) {
  const { cards, balances } = totals;
  const sums = balances.length > 0 ? balances : [{ currency, balance: 0n, available: 0n }];
  return (
    <section aria-label="Cardholder" className="flex flex-col gap-4">
      <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3">
        <div className="flex min-w-0 flex-wrap items-center gap-3">
          <h1 className="min-w-0 text-xl font-semibold tracking-tight break-words">
            <bdi>{name}</bdi>
          </h1>
          <span aria-live="polite">
            <CardholderLabel cardholder={cardholder} />
          </span>
        </div>
        {actions}
      </div>
      <dl className="flex flex-wrap gap-x-6 gap-y-3 md:gap-x-10">
        {sums.map((sum) => (
          <Figure isMain key={sum.currency} term={toTerm("Total balance", sum.currency, sums)}>
            <Money amount={sum.balance} currency={sum.currency} />
          </Figure>
        ))}
        {sums.map((sum) => (
          <Figure key={sum.currency} term={toTerm("Available", sum.currency, sums)}>
            <Money amount={sum.available} currency={sum.currency} />
          </Figure>
        ))}
        <Figure term="Active cards">{cards.active.toLocaleString("en-US")}</Figure>
        <Figure term="Frozen">{cards.frozen.toLocaleString("en-US")}</Figure>
        <Figure term="Closed">{cards.closed.toLocaleString("en-US")}</Figure>
      </dl>
    </section>
  );
}

/** Names the currency only if there are several. */
function toTerm(term: string, currency: string, sums: readonly unknown[]): string {
  return sums.length > 1 ? `${term}, ${currency}` : term;
}
