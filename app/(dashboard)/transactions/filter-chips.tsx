import { X } from "lucide-react";
import Link from "next/link";
import { toCardTitle } from "../../ui/card-title.ts";
import { toHref } from "../../ui/pager.tsx";
import type { Filter, FilterName } from "./filter.ts";
import type { Card } from "#lib/cards/card-resource.ts";
import { DECLINE_REASON_NAMES } from "#lib/transactions/decline-rules.ts";
import { formatMoney } from "#lib/base/money.ts";
import {
  TRANSACTION_STATUS_NAMES,
  TRANSACTION_TYPE_NAMES,
} from "#lib/transactions/transaction-kinds.ts";

/** What narrows the list down; each leads to the list without it. The search has a field of its own. */
export function FilterChips({
  filter,
  card,
  currency,
  path,
}: {
  filter: Filter;
  /** The one it is narrowed down to, where there is such a card. */
  card: Card | undefined;
  currency: string;
  path: string;
}) {
  const chips = toChips(filter, card, currency);
  if (chips.length === 0) {
    return null;
  }
  return (
    <ul aria-label="Filters" className="flex flex-wrap gap-2 px-4 pb-2">
      {chips.map(({ name, text }) => (
        <li key={name}>
          <Link
            aria-label={`Remove filter: ${text}`}
            className="bg-default text-foreground hover:bg-default-hover inline-flex h-7 items-center gap-1 rounded-full px-2.5 text-xs font-medium"
            href={toHref(path, { ...filter, [name]: undefined })}
          >
            {text}
            <X aria-hidden className="size-3.5" />
          </Link>
        </li>
      ))}
      {chips.length > 1 && (
        <li>
          <Link
            className="text-link inline-flex h-7 items-center px-1 text-xs underline underline-offset-4"
            href={toHref(path, { search: filter.search })}
          >
            Clear all
          </Link>
        </li>
      )}
    </ul>
  );
}

interface Chip {
  name: FilterName;
  text: string;
}

function toChips(filter: Filter, card: Card | undefined, currency: string): Chip[] {
  const money = (text: string) => formatMoney(Number(text), currency);
  const words: Readonly<Record<Exclude<FilterName, "search">, string | undefined>> = {
    type: filter.type && TRANSACTION_TYPE_NAMES[filter.type],
    status: filter.status && TRANSACTION_STATUS_NAMES[filter.status],
    decline_reason: filter.decline_reason && DECLINE_REASON_NAMES[filter.decline_reason],
    card_id: filter.card_id && (card ? toCardTitle(card.cardName, card.last4) : "Unknown card"),
    from: filter.from && `From ${filter.from}`,
    to: filter.to && `Through ${filter.to}`,
    amount_min: filter.amount_min && `At least ${money(filter.amount_min)}`,
    amount_max: filter.amount_max && `At most ${money(filter.amount_max)}`,
  };
  return NAMES.flatMap((name) => {
    const text = words[name];
    return text ? [{ name, text }] : [];
  });
}

const NAMES = [
  "type",
  "status",
  "decline_reason",
  "card_id",
  "from",
  "to",
  "amount_min",
  "amount_max",
] as const;
