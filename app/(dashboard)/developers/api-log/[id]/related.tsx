import { Link } from "../../../../ui/link.tsx";
import { Money } from "../../../../ui/money.tsx";
import { Panel } from "../../../../ui/panel.tsx";
import { TransactionStatusLabel } from "../../../../ui/transaction-status.tsx";
import { EventDeliveries } from "../../event-deliveries.tsx";
import type { RequestRelations } from "#lib/record/request-relations.ts";
import { TRANSACTION_TYPE_NAMES } from "#lib/transactions/transaction-kinds.ts";

/** The transactions, events, and deliveries of a request. */
export function Related({ relations }: { relations: RequestRelations }) {
  const { events, transactions, firstRequestId } = relations;
  if (events.length === 0 && transactions.length === 0) {
    return (
      <Panel title="Related">
        <p className="text-muted">
          {firstRequestId === null
            ? "This request made no events and no transactions."
            : "This response repeats that of an earlier request with the same idempotency key."}
        </p>
      </Panel>
    );
  }
  return (
    <Panel flush title="Related">
      <ul aria-label="Related" className="divide-separator divide-y">
        {transactions.map(({ id, type, status, amount, currency }) => (
          <li className="flex flex-wrap items-center gap-x-3 gap-y-1 px-4 py-2.5" key={id}>
            <Link className="underlined-link" href={`/transactions/${id}`}>
              {TRANSACTION_TYPE_NAMES[type]}
            </Link>
            <TransactionStatusLabel status={status} type={type} />
            <span className="ml-auto">
              <Money amount={amount} currency={currency} />
            </span>
          </li>
        ))}
        {events.map(({ id, event, deliveries }) => (
          <li className="flex flex-wrap items-start gap-x-3 gap-y-1 px-4 py-2.5" key={id}>
            <Link
              className="underlined-link font-mono text-xs break-all"
              href={`/developers/events/${id}`}
            >
              {event}
            </Link>
            <EventDeliveries deliveries={deliveries} />
          </li>
        ))}
      </ul>
    </Panel>
  );
}
