import type { Elements } from "../../ui/elements.ts";
import { Link } from "../../ui/link.tsx";
import { Money } from "../../ui/money.tsx";
import { toHref } from "../../ui/pager.tsx";
import { Panel } from "../../ui/panel.tsx";
import { ShareBar } from "../../ui/share-bar.tsx";
import { toTransactionCount } from "./transaction-count.ts";
import { formatMoney } from "#lib/base/money.ts";
import { toNet } from "#lib/overview/spend.ts";
import type { NamedSpend } from "#lib/overview/spend.ts";

/** How many rows are shown at first. */
const SHOWN = 10;
const PERCENT = new Intl.NumberFormat("en-US", {
  style: "percent",
  minimumFractionDigits: 1,
  maximumFractionDigits: 1,
});

interface Props {
  title: string;
  /** The filter of the list of transactions that a row sets. */
  member: "mcc" | "country" | "card_id" | "user_id" | "merchant";
  /** From the most to the least. */
  sums: readonly NamedSpend[];
  toName: (name: string) => string;
  currency: string;
  /** The days of the period, as filters of the list of transactions. */
  posted: Readonly<Record<string, string>>;
  /** The whole that shares are based on, in minor units. A row with more refunds than purchases has no share. */
  whole: number;
  action?: Elements;
  /** Shown below the rows. */
  note?: Elements;
}

/** What was spent, grouped by a member of transactions. Each row links to its transactions. */
export function SpendPanel({ title, sums, action, note, ...row }: Props) {
  return (
    <Panel action={action} flush title={title}>
      <ul className="py-1">
        {sums.map((sum) => (
          <SpendRow {...row} key={sum.name} sum={sum} />
        ))}
      </ul>
      {note}
    </Panel>
  );
}

/** What was spent, grouped by a member of transactions: the top rows, or all of them. */
export function ExpandablePanel({
  sums,
  isWhole,
  otherHref,
  ...panel
}: Omit<Props, "whole" | "action" | "note"> & {
  /** Whether all rows are shown. */
  isWhole: boolean;
  /** The page that shows the remaining rows, or hides them. */
  otherHref: string;
}) {
  return (
    <SpendPanel
      {...panel}
      action={
        sums.length > SHOWN && (
          <Link className="underlined-link" href={otherHref} scroll={false}>
            {isWhole ? `Show the top ${SHOWN}` : `See all (${sums.length})`}
          </Link>
        )
      }
      sums={isWhole ? sums : sums.slice(0, SHOWN)}
      whole={sums.reduce((sofar, sum) => sofar + Math.max(0, toNet(sum)), 0)}
    />
  );
}

function SpendRow({
  sum,
  whole,
  member,
  toName,
  currency,
  posted,
}: Pick<Props, "member" | "toName" | "currency" | "posted" | "whole"> & { sum: NamedSpend }) {
  const net = toNet(sum);
  const share = whole === 0 ? 0 : Math.max(0, net) / whole;
  return (
    <li>
      <Link
        className="hover:bg-default flex flex-col gap-1 px-4 py-2"
        href={toHref("/transactions", { [member]: sum.name, ...posted })}
      >
        <span className="flex items-baseline justify-between gap-4 font-medium">
          <span className="min-w-0 wrap-anywhere">{toName(sum.name)}</span>
          <Money amount={net} currency={currency} />
        </span>
        <ShareBar share={share} />
        <span className="text-muted flex justify-between gap-4 text-xs">
          <span className="min-w-0">{toAbout(sum, currency)}</span>
          <span className="tabular-nums">{PERCENT.format(share)}</span>
        </span>
      </Link>
    </li>
  );
}

/** `12 transactions, $4.00 refunded` */
function toAbout({ transactions, refunded }: NamedSpend, currency: string): string {
  const count = toTransactionCount(transactions);
  return refunded > 0 ? `${count}, ${formatMoney(refunded, currency)} refunded` : count;
}
