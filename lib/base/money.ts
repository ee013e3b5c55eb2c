import { minorDigits } from "#lib/base/currencies.ts";

/** The maximum amount of one transfer, in minor units. */
export const AMOUNT_MAX = 1_000_000_000_000;

/** Every balance stays within plus and minus this, so that it is exact in JSON and in JavaScript. */
export const BALANCE_MAX = Number.MAX_SAFE_INTEGER;

/**
 * Money in words for people, in major units with its currency: `formatMoney(20000, "USD")` is `$200.00`. A sum of many
 * amounts may be a bigint, which is exact beyond the largest balance.
 */
export function formatMoney(amount: number | bigint, currency: string): string {
  // As text, because a division rounds: above 45 trillion dollars, a number does not hold every cent.
  return toFormat(currency).format(toDecimal(amount, currency));
}

/** An amount in minor units as a plain decimal number in major units, exactly: 20000 of USD is `200.00`. */
export function toDecimal(amount: number | bigint, currency: string): `${number}` {
  const digits = minorDigits(currency);
  const size = String(amount < 0 ? -amount : amount).padStart(digits + 1, "0");
  const [whole, decimals] = [size.slice(0, size.length - digits), size.slice(size.length - digits)];
  const text = digits === 0 ? whole : `${whole}.${decimals}`;
  // The compiler does not see that digits around a point are a number.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return `${amount < 0 ? "-" : ""}${text}` as `${number}`;
}

/** Roughly how much, for the lines of a chart: 123456 of USD is `$1.2K`. */
export function formatRoughMoney(amount: number, currency: string): string {
  const format = new Intl.NumberFormat("en-US", {
    style: "currency",
    currency,
    notation: "compact",
    minimumFractionDigits: 0,
    maximumFractionDigits: 1,
  });
  return format.format(amount / 10 ** minorDigits(currency));
}

/** What precedes an amount: the currency's symbol, or its code if it has none. */
export function toCurrencyName(
  currency: string,
  currencyDisplay: "symbol" | "narrowSymbol",
): string {
  const known = names.get(`${currency} ${currencyDisplay}`);
  if (known) {
    return known;
  }
  const format = new Intl.NumberFormat("en-US", { style: "currency", currency, currencyDisplay });
  const name = format.formatToParts(0).find(({ type }) => type === "currency")?.value ?? currency;
  names.set(`${currency} ${currencyDisplay}`, name);
  return name;
}

/** Cached: creating a format takes 25 times as long as using it. */
const names = new Map<string, string>();
const formats = new Map<string, Intl.NumberFormat>();

function toFormat(currency: string): Intl.NumberFormat {
  const known = formats.get(currency);
  if (known) {
    return known;
  }
  const digits = minorDigits(currency);
  const made = new Intl.NumberFormat("en-US", {
    style: "currency",
    currency,
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  });
  formats.set(currency, made);
  return made;
}
