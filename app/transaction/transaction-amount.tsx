import { Money } from "../ui/money.tsx";
import { toMoved } from "./transaction-words.ts";
import type { Amounts } from "./transaction-words.ts";

/** An amount, signed if money moved; one that was only requested or held has no sign. */
export function TransactionAmount({
  transaction,
  className = "",
}: {
  transaction: Amounts;
  className?: string;
}) {
  const moved = toMoved(transaction);
  const { amount, currency } = transaction;
  return moved === 0 ? (
    <Money amount={amount} className={`text-muted ${className}`} currency={currency} />
  ) : (
    <Money amount={moved} className={className} currency={currency} signed />
  );
}
