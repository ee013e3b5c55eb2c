import { minorDigits } from "#lib/base/currencies.ts";
import { AMOUNT_MAX, formatMoney, toCurrencyName, toDecimal } from "#lib/base/money.ts";

/**
 * Typed text read as an amount: minor units, or null with the problem. `isUnfinished` means that more typing can still
 * turn it into an amount, so a field need not show the problem yet.
 */
export type TypedAmount =
  | { amount: number }
  | { amount: null; problem: string; isUnfinished: boolean };

/** `1234`, `1,234`, `1,234.56`, `0.5`, `.5`, and the empty string. */
const WRITTEN =
  /^(?<whole>0|[1-9][0-9]*|[1-9][0-9]{0,2}(?:,[0-9]{3})+)?(?:\.(?<decimals>[0-9]+))?$/u;

/** A last group of thousands that is still being typed: `1,`, `1,23`, `12,345,6`. */
const OPEN_GROUP = /^[1-9][0-9]{0,2}(?:,[0-9]{3})*,[0-9]{0,2}$/u;

/**
 * Reads an amount as en-US writes it: major units, a point before the decimals, commas between thousands only, and
 * optionally the currency's own symbol or code in front. Nothing is guessed, rounded, or clamped: text that could mean
 * two amounts, is too precise for the currency, or is out of range is rejected with a sentence.
 * @param least the smallest amount allowed, in minor units.
 */
export function readAmount(typed: string, currency: string, least = 1): TypedAmount {
  const text = withoutCurrency(typed.trim(), currency);
  const digits = minorDigits(currency);
  const written = text === "" ? null : WRITTEN.exec(text);
  if (!written) {
    return refuse(toFormProblem(text, currency), isOpen(text, digits));
  }
  const { whole = "", decimals = "" } = written.groups ?? {};
  if (decimals.length > digits) {
    return refuse(toPrecisionProblem(currency, digits), false);
  }
  if (isAmbiguous(text, digits)) {
    return refuse(toAmbiguityProblem(whole), true);
  }
  return bound(Number(whole.replaceAll(",", "") + decimals.padEnd(digits, "0")), currency, least);
}

/** Formats an amount as {@link readAmount} reads it, without its currency: 123456 in USD is `1,234.56`. */
export function toTypedAmount(amount: number, currency: string): string {
  const [whole = "", ...decimals] = toDecimal(amount, currency).split(".");
  return [whole.replaceAll(/\B(?=(?:[0-9]{3})+$)/gu, ","), ...decimals].join(".");
}

/** The symbol in front of an amount in this currency. Empty for a currency that has only its code. */
export function toSymbol(currency: string): string {
  const symbol = toCurrencyName(currency, "narrowSymbol");
  return symbol === currency ? "" : symbol;
}

/** The number of digits between two commas. In a currency with as many decimals, `1,234` can mean two amounts. */
const GROUP_DIGITS = 3;

function isAmbiguous(text: string, digits: number): boolean {
  return digits === GROUP_DIGITS && !text.includes(".") && text.split(",").length === 2;
}

function bound(amount: number, currency: string, least: number): TypedAmount {
  if (amount > AMOUNT_MAX) {
    return refuse(`The maximum is ${formatMoney(AMOUNT_MAX, currency)}.`, false);
  }
  // More decimals can still follow.
  return amount < least
    ? refuse(`The minimum is ${formatMoney(least, currency)}.`, true)
    : { amount };
}

function refuse(problem: string, isUnfinished: boolean): TypedAmount {
  return { amount: null, problem, isUnfinished };
}

function withoutCurrency(text: string, currency: string): string {
  const names = [
    currency,
    toCurrencyName(currency, "symbol"),
    toCurrencyName(currency, "narrowSymbol"),
  ];
  const name = names.find((each) => text.startsWith(each));
  return name === undefined ? text : text.slice(name.length).trimStart();
}

/** Whether the typed text can be the beginning of an amount. */
function isOpen(text: string, digits: number): boolean {
  const isBeforeDecimals = digits > 0 && text.indexOf(".") === text.length - 1;
  return (isBeforeDecimals && WRITTEN.test(text.slice(0, -1))) || OPEN_GROUP.test(text);
}

/** What is wrong with how an amount is written, the most obvious problem first. */
function toFormProblem(text: string, currency: string): string {
  const example = toTypedAmount(Number("12345678".slice(0, 4 + minorDigits(currency))), currency);
  if (text === "") {
    return "Enter an amount.";
  }
  if (/[-+\u2212\u2013()]/u.test(text)) {
    return "Enter the amount without a sign.";
  }
  if (/[^0-9.,]/u.test(text)) {
    return `Enter the amount in digits, such as ${example}.`;
  }
  if (/^0[0-9]/u.test(text)) {
    return "Remove the leading zeros.";
  }
  const point = minorDigits(currency) > 0 ? "a decimal point" : "no decimals";
  return `Use ${point}, and commas only between groups of three digits, such as ${example}.`;
}

function toPrecisionProblem(currency: string, digits: number): string {
  return digits === 0
    ? `${currency} amounts have no decimals.`
    : `${currency} amounts have at most ${digits} decimals.`;
}

function toAmbiguityProblem(whole: string): string {
  const thousands = `${whole}.${"0".repeat(GROUP_DIGITS)}`;
  return `This could be two different amounts. Enter ${thousands} or ${whole.replace(",", ".")}.`;
}
