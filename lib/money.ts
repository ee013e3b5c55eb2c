/** The most one move may carry, in minor units. */
export const AMOUNT_MAX = 1_000_000_000_000;

/** Every balance stays within plus and minus this, so that it is exact in JSON and in JavaScript. */
export const BALANCE_MAX = Number.MAX_SAFE_INTEGER;

/** Money for people, in major units with its currency: `formatMoney(20000, "USD")` is `$200.00`. */
export function formatMoney(amount: number, currency: string): string {
  const format = new Intl.NumberFormat("en-US", { style: "currency", currency });
  return format.format(amount / 10 ** minorDigits(currency));
}

/** How many digits of a currency's amount are minor units: 2 for USD, 0 for JPY. */
export function minorDigits(currency: string): number {
  const format = new Intl.NumberFormat("en-US", { style: "currency", currency });
  return format.resolvedOptions().maximumFractionDigits ?? 2;
}
