import { Link } from "../../../ui/link.tsx";
import { Money } from "../../../ui/money.tsx";
import { Panel } from "../../../ui/panel.tsx";
import { Time } from "../../../ui/time.tsx";
import { TransactionStatusLabel } from "../../../ui/transaction-status.tsx";
import { TransactionAmount } from "../../../transaction/transaction-amount.tsx";
import { toTransactionTitle } from "../../../transaction/transaction-words.ts";
import type { Transaction } from "#lib/transactions/transactions.ts";

/** The transactions that led to this one and those that followed from it, with the refunded amount. */
export function Related({
  transaction,
  transactions,
}: {
  transaction: Transaction;
  transactions: readonly Transaction[];
}) {
  const { refunded, amount, currency } = transaction;
  if (transactions.length === 0) {
    return null;
  }
  return (
    <Panel flush title="Related transactions">
      {refunded > 0 && (
        <p className="border-separator border-b px-4 py-2.5">
          <Money amount={refunded} className="font-medium" currency={currency} /> of{" "}
          <Money amount={amount} currency={currency} /> refunded
        </p>
      )}
      <ul className="divide-separator divide-y">
        {transactions.map((each) => (
          <li className="flex flex-wrap items-center gap-x-3 gap-y-1 px-4 py-2.5" key={each.id}>
            <Link className="underlined-link" href={`/transactions/${each.id}`}>
              {toTransactionTitle(each)}
            </Link>
            <TransactionStatusLabel status={each.status} type={each.type} />
            <span className="text-muted text-xs">
              <Time at={each.createdAt} />
            </span>
            <TransactionAmount className="ml-auto" transaction={each} />
          </li>
        ))}
      </ul>
    </Panel>
  );
}
