import { formatMoney } from "#lib/base/money.ts";

/** An amount in minor units, displayed in major units with its currency. */
export function Money({
  amount,
  currency,
  className = "",
  signed = false,
}: {
  amount: number | bigint;
  currency: string;
  className?: string;
  /** Whether incoming amounts have a plus sign, so that color is not the only indication. */
  signed?: boolean;
}) {
  const plus = signed && amount > 0 ? "+" : "";
  return (
    <span
      className={`whitespace-nowrap tabular-nums ${className}`}
    >{`${plus}${formatMoney(amount, currency).replace("-", "\u2212")}`}</span>
  );
}
