"use client";

import type { ReactElement } from "react";
import type { Elements } from "../ui/elements.ts";
import { Money } from "../ui/money.tsx";
import { Link } from "../ui/link.tsx";
import { ExactTimeText } from "../ui/time-text.tsx";
import { toCardTitle } from "../ui/card-title.ts";
import { toPurchaseCount } from "./backtest-text.ts";
import type { FoundBacktest } from "./backtest-text.ts";
import { DECLINE_REASON_NAMES } from "#lib/transactions/decline-rules.ts";

/** Which purchases the controls would have declined, and on which cards. */
export function BacktestDetails({ found, isOfCard }: { found: FoundBacktest; isOfCard: boolean }) {
  return (
    <>
      {!isOfCard && <Cards found={found} />}
      <Purchases found={found} />
    </>
  );
}

function Cards({ found: { by_card: shown, cards, currency } }: { found: FoundBacktest }) {
  return (
    <List title="Cards" total={cards}>
      {shown.map(({ card_id: id, card_name: name, last4, count, amount }) => (
        <Row
          amount={amount}
          currency={currency}
          detail={<span>{toPurchaseCount(count)}</span>}
          href={`/cards/${id}`}
          key={id}
          name={toCardTitle(name, last4)}
        />
      ))}
    </List>
  );
}

function Purchases({ found: { first, declined, currency } }: { found: FoundBacktest }) {
  return (
    <List title="Purchases" total={declined.count}>
      {first.map(({ transaction_id: id, merchant_name: merchant, reason, amount, at }) => (
        <Row
          amount={amount}
          currency={currency}
          detail={
            <>
              <span>{DECLINE_REASON_NAMES[reason]}</span>
              <span aria-hidden> · </span>
              <ExactTimeText at={at} />
            </>
          }
          href={`/transactions/${id}`}
          key={`${id} ${at}`}
          name={merchant ?? "Unnamed merchant"}
        />
      ))}
    </List>
  );
}

/** Rows with the total number, of which these may be the first. */
function List({
  title,
  total,
  children,
}: {
  title: string;
  total: number;
  children: readonly ReactElement[];
}) {
  const isPart = children.length < total;
  return (
    <section aria-label={title} className="flex flex-col gap-1">
      <h3 className="text-muted text-xs font-medium">
        {isPart ? `${title}: ${children.length} of ${total.toLocaleString("en-US")}` : title}
      </h3>
      <ul className="divide-separator max-h-56 divide-y overflow-y-auto">{children}</ul>
    </section>
  );
}

function Row({
  name,
  href,
  detail,
  amount,
  currency,
}: {
  name: string;
  href: string;
  detail: Elements;
  amount: number;
  currency: string;
}) {
  return (
    <li className="flex items-baseline justify-between gap-3 py-1.5">
      <span className="min-w-0">
        <Link
          className="underlined-link wrap-break-word"
          href={href}
          // Opens in a new tab, so that the current edits are not lost.
          target="_blank"
        >
          {name}
        </Link>
        <span className="hint block">{detail}</span>
      </span>
      <Money amount={amount} currency={currency} />
    </li>
  );
}
