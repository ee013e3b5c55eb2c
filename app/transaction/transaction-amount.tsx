import { Money } from "../ui/money.tsx";
import { toNetAmount } from "#lib/transactions/net-amount.ts";
import type { Amounts } from "./transaction-words.ts";

/** An amount, with a sign if money moved. An amount that was only requested or held has no sign. */
export function TransactionAmount({
  transaction,
  merchantMoney = null,
  className = "",
}: {
  transaction: Amounts;
  /** The merchant's charge in its own currency, shown before the amount. */
  merchantMoney?: string | null;
  className?: string;
}) {
  return merchantMoney === null ? (
    <BilledAmount className={className} transaction={transaction} />
  ) : (
    <span>
      <span className={`text-muted whitespace-nowrap tabular-nums ${className}`}>
        {merchantMoney}
      </span>
      {" · "}
      <BilledAmount className={className} transaction={transaction} />
    </span>
  );
}

function BilledAmount({ transaction, className }: { transaction: Amounts; className: string }) {
  const moved = toNetAmount(transaction);
  const { amount, currency } = transaction;
  return moved === 0 ? (
    <Money amount={amount} className={`text-muted ${className}`} currency={currency} />
  ) : (
    <Money amount={moved} className={className} currency={currency} signed />
  );
}
