import type { AnswerOf } from "#lib/api/client.ts";
import { formatMoney } from "#lib/base/money.ts";
import type { OPERATIONS } from "../client/operations.ts";

/** The answer of a backtest. */
export type FoundBacktest = AnswerOf<typeof OPERATIONS.backtestCards>["data"];

type TextParts = Pick<
  FoundBacktest,
  "currency" | "from" | "to" | "complete" | "questions" | "declined"
>;

const DAY_MS = 86_400_000;

/** `In the last 30 days, these controls would have declined 3 of 214 purchases, $412.10.` */
export function toBacktestText(found: TextParts): string {
  const { questions, declined, currency } = found;
  const since = toSince(found);
  if (questions === 0) {
    return `${since}, there were no purchases to try these controls on.`;
  }
  const of = toPurchaseCount(questions);
  return declined.count === 0
    ? `${since}, these controls would have declined none of ${of}.`
    : `${since}, these controls would have declined ${declined.count.toLocaleString("en-US")} of ${of}, ${formatMoney(declined.amount, currency)}.`;
}

/** The period of the backtest; says so if there were too many purchases to cover all of it. */
function toSince({ from, to, complete, questions }: TextParts): string {
  if (!complete) {
    return `Among the newest ${questions.toLocaleString("en-US")}`;
  }
  const days = Math.round((Date.parse(to) - Date.parse(from)) / DAY_MS);
  return days === 1 ? "In the last day" : `In the last ${days} days`;
}

/** `1 purchase`, `1,204 purchases`. */
export function toPurchaseCount(count: number): string {
  return `${count.toLocaleString("en-US")} ${count === 1 ? "purchase" : "purchases"}`;
}
