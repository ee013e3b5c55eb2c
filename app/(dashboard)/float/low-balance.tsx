import { TriangleAlert } from "lucide-react";
import { formatMoney } from "#lib/base/money.ts";
import type { Float } from "#lib/funds/funds.ts";

/** Warns while the float is below the threshold that the account has set. */
export function LowBalance({ float, daysLeft }: { float: Float; daysLeft?: number | null }) {
  const { available, lowBalanceThreshold, currency } = float;
  if (lowBalanceThreshold === null || available >= lowBalanceThreshold) {
    return null;
  }
  return (
    <p
      className="border-border bg-surface text-pending flex items-start gap-2 rounded-lg border px-4 py-3"
      role="status"
    >
      <TriangleAlert aria-hidden className="mt-0.5 size-4 shrink-0" />
      <span>
        The float is below {formatMoney(lowBalanceThreshold, currency)}, your low-balance threshold.
        {daysLeft !== null && daysLeft !== undefined && (
          <> At the pace of the last 30 days, it will last {toDays(daysLeft)}.</>
        )}
      </span>
    </p>
  );
}

function toDays(days: number): string {
  if (days < 1) {
    return "less than a day";
  }
  return days === 1 ? "one more day" : `${days} more days`;
}
