/** The maximum amount of one transfer, in minor units. */
export const AMOUNT_MAX = 1_000_000_000_000;

/** Every balance stays within plus and minus this, so that it is exact in JSON and in JavaScript. */
export const BALANCE_MAX = Number.MAX_SAFE_INTEGER;

/**
 * Money as people read it, in major units with its currency: `formatMoney(20000, "USD")` is `$200.00`. A sum of many
 * amounts may be a bigint, which is exact beyond the largest balance.
 */
export function formatMoney(amount: number | bigint, currency: string): string {
  const { format, digits } = toFormat(currency);
  return format.format(
    typeof amount === "bigint" ? toNumeral(amount, digits) : amount / 10 ** digits,
  );
}

/** An exact amount in major units, as ECMA-402 reads numerals: `123e-2` is 1.23. */
function toNumeral(amount: bigint, digits: number): `${number}` {
  // The compiler does not know this form of a number.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return `${amount}e-${digits}` as `${number}`;
}

/** The number of minor-unit digits of a currency: 2 for USD, 0 for JPY. */
export function minorDigits(currency: string): number {
  return toFormat(currency).digits;
}

interface CurrencyFormat {
  format: Intl.NumberFormat;
  digits: number;
}

/** Cached: creating a format takes 25 times as long as using it, and reading its digits takes 6 times as long. */
const formats = new Map<string, CurrencyFormat>();

function toFormat(currency: string): CurrencyFormat {
  const known = formats.get(currency);
  if (known) {
    return known;
  }
  const format = new Intl.NumberFormat("en-US", { style: "currency", currency });
  const made = { format, digits: format.resolvedOptions().maximumFractionDigits ?? 2 };
  formats.set(currency, made);
  return made;
}
