import { Link } from "../../../ui/link.tsx";
import { Money } from "../../../ui/money.tsx";
import { toHref } from "../../../ui/pager.tsx";
import { Panel } from "../../../ui/panel.tsx";
import { SeeAll } from "../../../ui/see-all.tsx";
import { Time } from "../../../ui/time.tsx";
import type { OpenHolds } from "#lib/transactions/card-purchases.ts";
import { toOpenHold } from "#lib/transactions/transaction-resource.ts";
import type { Transaction } from "#lib/transactions/transactions.ts";
import { toTransactionTitle } from "../../../transaction/transaction-words.ts";

/** How many are shown at first. */
const SHOWN = 8;

/** What is held on a card, and until when; renders nothing without holds. */
export function HoldList({ cardId, holds }: { cardId: string; holds: OpenHolds }) {
  if (holds.count === 0) {
    return null;
  }
  const rest = holds.rows.slice(SHOWN);
  return (
    <Panel flush title="Open authorizations">
      <Holds rows={holds.rows.slice(0, SHOWN)} />
      {rest.length > 0 && (
        <SeeAll
          className="border-separator border-t [&>:is(summary,a)]:mx-4 [&>:is(summary,a)]:my-2"
          count={holds.count}
        >
          <Holds rows={rest} />
          {holds.count > holds.rows.length && (
            <Link
              className="underlined-link"
              href={toHref("/transactions", { card_id: cardId, status: "authorized" })}
            >
              Later ones
            </Link>
          )}
        </SeeAll>
      )}
    </Panel>
  );
}

function Holds({ rows }: { rows: readonly Transaction[] }) {
  return (
    <ul className="divide-separator divide-y">
      {rows.map((hold) => (
        <li className="flex flex-col px-4 py-2" key={hold.id}>
          <span className="flex items-baseline justify-between gap-3">
            <Link className="underlined-link min-w-0 truncate" href={`/transactions/${hold.id}`}>
              <bdi>{hold.merchant?.name ?? hold.narrative ?? toTransactionTitle(hold)}</bdi>
            </Link>
            <Money amount={toOpenHold(hold)} className="font-medium" currency={hold.currency} />
          </span>
          {hold.holdExpiresAt && (
            <span className="text-muted text-xs">
              Expires <Time at={hold.holdExpiresAt} />
            </span>
          )}
        </li>
      ))}
    </ul>
  );
}
