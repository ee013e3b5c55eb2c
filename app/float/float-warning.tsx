import { TriangleAlert } from "lucide-react";
import type { Elements } from "../ui/elements.ts";
import { formatMoney } from "#lib/base/money.ts";
import type { Float } from "#lib/funds/funds.ts";

/** Whether the float is below the threshold that the account has set. */
export function isLow({ available, lowBalanceThreshold }: Float): boolean {
  return lowBalanceThreshold !== null && available < lowBalanceThreshold;
}

/** What an account in deficit owes, and what it cannot do until it has repaid that. */
export function toDeficitSentence(deficit: number, currency: string): string {
  return `${formatMoney(deficit, currency)} is owed for purchases that neither their cards nor the float could pay. Cards cannot be credited until a top-up has repaid it.`;
}

/** Warns while the float is in deficit or low, with a way to fund it. */
export function FloatWarning({
  float,
  forecast = null,
  action,
}: {
  float: Float;
  /** When it runs out, in a sentence; null if unknown. */
  forecast?: string | null;
  /** Null if the page already offers the action. */
  action: Elements;
}) {
  const { deficit, currency, lowBalanceThreshold } = float;
  const isOwing = deficit > 0;
  if (!isOwing && (!isLow(float) || lowBalanceThreshold === null)) {
    return null;
  }
  const sentences = isOwing
    ? [toDeficitSentence(deficit, currency)]
    : toLowSentences(float, forecast);
  return (
    <div
      className="border-border bg-surface flex flex-wrap items-center justify-between gap-x-6 gap-y-3 rounded-lg border px-4 py-3"
      role="status"
    >
      <p className={`flex min-w-0 items-start gap-2 ${isOwing ? "text-declined" : "text-pending"}`}>
        <TriangleAlert aria-hidden className="mt-0.5 size-4 shrink-0" />
        <span>
          {sentences.map((sentence) => (
            <span key={sentence}>{`${sentence} `}</span>
          ))}
        </span>
      </p>
      {action}
    </div>
  );
}

function toLowSentences({ lowBalanceThreshold, currency }: Float, forecast: string | null) {
  const threshold = formatMoney(lowBalanceThreshold ?? 0, currency);
  return [
    `The float is below ${threshold}, your low-balance threshold.`,
    ...(forecast === null ? [] : [`${forecast}.`]),
  ];
}
