import { Link } from "../../../ui/link.tsx";
import { Money } from "../../../ui/money.tsx";
import { Panel } from "../../../ui/panel.tsx";
import { Time } from "../../../ui/time.tsx";
import type { OpenHolds } from "#lib/transactions/card-purchases.ts";
import { toOpenHold } from "#lib/transactions/transaction-resource.ts";
import { toTransactionTitle } from "../../../transaction/transaction-words.ts";

const SHOWN = 8;

/** What is held on a card, and until when; renders nothing without holds. */
export function HoldList({ holds }: { holds: OpenHolds }) {
  if (holds.count === 0) {
    return null;
  }
  const shown = holds.rows.slice(0, SHOWN);
  return (
    <Panel flush title="Open authorizations">
      <ul className="divide-separator divide-y">
        {shown.map((hold) => (
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
      {holds.count > shown.length && (
        <p className="border-separator text-muted border-t px-4 py-2 text-xs">{`and ${(holds.count - shown.length).toLocaleString("en-US")} more`}</p>
      )}
    </Panel>
  );
}
