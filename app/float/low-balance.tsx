import { TriangleAlert } from "lucide-react";
import type { Elements } from "../ui/elements.ts";
import { formatMoney } from "#lib/base/money.ts";
import type { Float } from "#lib/funds/funds.ts";

/** Whether the float is below the threshold that the account has set. */
export function isLow({ available, lowBalanceThreshold }: Float): boolean {
  return lowBalanceThreshold !== null && available < lowBalanceThreshold;
}

/** Warns while the float is low, with a way to fund it. */
export function LowBalance({
  float,
  daysLeft,
  action,
}: {
  float: Float;
  daysLeft?: number | null;
  /** Null if the page offers it already. */
  action: Elements;
}) {
  if (!isLow(float) || float.lowBalanceThreshold === null) {
    return null;
  }
  return (
    <div
      className="border-border bg-surface flex flex-wrap items-center justify-between gap-x-6 gap-y-3 rounded-lg border px-4 py-3"
      role="status"
    >
      <p className="text-pending flex min-w-0 items-start gap-2">
        <TriangleAlert aria-hidden className="mt-0.5 size-4 shrink-0" />
        <span>
          <span>{`The float is below ${formatMoney(float.lowBalanceThreshold, float.currency)}, your low-balance threshold.`}</span>
          {daysLeft !== null && daysLeft !== undefined && (
            <>
              {" "}
              <span>{`At the pace of the last 30 days, it will last ${toDaysText(daysLeft)}.`}</span>
            </>
          )}
        </span>
      </p>
      {action}
    </div>
  );
}

/** `12 more days` */
export function toDaysText(days: number): string {
  if (days < 1) {
    return "less than a day";
  }
  return days === 1 ? "one more day" : `${days} more days`;
}
