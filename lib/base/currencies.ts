/**
 * The currencies of ISO 4217 by their number of minor-unit digits. This is the table of the package countries-list
 * without its names, which browsers need not load; `currencies.test.ts` checks that both agree. `Intl` cannot replace
 * it: its digits are those in which prices are usually shown, which differ from the standard and between browsers.
 */
const CODES: Readonly<Record<number, string>> = {
  0: "BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF",
  2: "AED AFN ALL AMD AOA ARS AUD AWG AZN BAM BBD BDT BMD BND BOB BOV BRL BSD BTN BWP BYN BZD CAD CDF CHE CHF CHW CNY COP COU CRC CUP CVE CZK DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GTQ GYD HKD HNL HTG HUF IDR ILS INR IRR JMD KES KGS KHR KPW KYD KZT LAK LBP LKR LRD LSL MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN MXV MYR MZN NAD NGN NIO NOK NPR NZD PAB PEN PGK PHP PKR PLN QAR RON RSD RUB SAR SBD SCR SDG SEK SGD SHP SLE SOS SRD SSP STN SVC SYP SZL THB TJS TMT TOP TRY TTD TWD TZS UAH USD USN UYU UZS VED VES WST XAD XCD XCG YER ZAR ZMW ZWG",
  3: "BHD IQD JOD KWD LYD OMR TND",
  4: "CLF UYW",
};

/** Codes that ISO 4217 has withdrawn, or lists without a minor unit. Accounts in them use hundredths. */
const FORMER = "ANG BGN CUC HRK SLL XDR XSU ZWL";
const FORMER_DIGITS = 2;

const DIGITS: ReadonlyMap<string, number> = new Map([
  ...FORMER.split(" ").map((code) => [code, FORMER_DIGITS] as const),
  ...Object.entries(CODES).flatMap(([digits, codes]) =>
    codes.split(" ").map((code) => [code, Number(digits)] as const),
  ),
]);

/** The codes of the currencies that an account can have. */
export const CURRENCIES: readonly string[] = [...DIGITS.keys()].toSorted();

/**
 * The number of minor-unit digits of a currency: 2 for USD, 0 for JPY.
 * @throws Error for a code that no account can have, because an amount of unknown scale must not be shown or read.
 */
export function minorDigits(currency: string): number {
  const digits = DIGITS.get(currency);
  if (digits === undefined) {
    throw new Error(`${currency} is not a currency of ISO 4217.`);
  }
  return digits;
}
