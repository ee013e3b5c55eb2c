import { toCountryCode } from "#lib/base/country-code.ts";
import { CURRENCIES } from "#lib/base/currencies.ts";
import { toCurrencyCode } from "#lib/base/currency-numbers.ts";
import type { PurchaseDescription } from "#lib/transactions/card-transaction-records.ts";
import { UNNAMED_MERCHANT } from "#db/schema/unknown-spend.ts";

/** A purchase as the merchant's side described it: any text, or none. */
export interface SentDescription {
  narrative: string | null;
  merchant: Readonly<Record<MerchantMember, string | null>> | null;
  /** In minor units of the currency, which comes with it. */
  merchant_amount?: number | undefined;
  merchant_currency?: string | undefined;
  /** When it happened by the network's clock. */
  occurred_at?: Date | undefined;
}

type MerchantMember = "name" | "mcc" | "city" | "country";
type Member = "narrative" | "merchant_currency" | `merchant.${MerchantMember}`;

const TEXT_MAX = 255;
const RECEIVED_MAX = 1_000;

/** The rule of each member. Returns the text as sent, a corrected text, or null to drop it. */
const RULES: Readonly<Record<Member, (text: string) => string | null>> = {
  narrative: toPlainText,
  merchant_currency: toCurrency,
  "merchant.name": toNonBlank,
  "merchant.mcc": toCategoryCode,
  "merchant.city": (text) => (isContact(text.trim()) ? null : toNonBlank(text)),
  "merchant.country": toCountryCode,
};

/**
 * Cleans the description of a purchase by one table of rules. A card network relays what merchants typed into their
 * terminals, and a purchase must not fail because of that. The result also contains the original of every changed text.
 */
export function cleanDescription(sent: SentDescription): PurchaseDescription {
  const { narrative, merchant, merchant_amount: amount } = sent;
  const received: [Member | "merchant_amount", string][] = [];
  const clean = (member: Member, text: string | null) => {
    const cleaned = text === null ? null : RULES[member](text);
    if (text !== null && text !== cleaned) {
      received.push([member, toStorable(text)]);
    }
    return cleaned;
  };
  const cleaned = {
    narrative: clean("narrative", narrative),
    merchant: merchant && {
      name: clean("merchant.name", merchant.name) ?? UNNAMED_MERCHANT,
      mcc: clean("merchant.mcc", merchant.mcc),
      city: clean("merchant.city", merchant.city),
      country: clean("merchant.country", merchant.country),
    },
  };
  const currency = clean("merchant_currency", sent.merchant_currency ?? null);
  if (amount !== undefined && currency === null) {
    // An amount means nothing without its currency.
    received.push(["merchant_amount", String(amount)]);
  }
  return {
    ...cleaned,
    charged: amount === undefined || currency === null ? null : { amount, currency },
    occurredAt: sent.occurred_at ?? null,
    asReceived: received.length === 0 ? null : Object.fromEntries(received),
  };
}

/** Without control characters and lone surrogates, and not too long. Its length counts characters: an emoji is one. */
function toPlainText(text: string): string {
  const plain = text.toWellFormed().replaceAll(/\p{Cc}/gu, " ");
  return plain.length <= TEXT_MAX ? plain : Array.from(plain).slice(0, TEXT_MAX).join("");
}

function toNonBlank(text: string): string | null {
  const plain = toPlainText(text);
  return plain.trim() === "" ? null : plain;
}

/** Three digits may be a code without its first digit or without its last one, so nothing is added to them. */
function toCategoryCode(text: string): string | null {
  const code = text.trim();
  return /^[0-9]{4}$/u.test(code) ? code : null;
}

/** The code of a currency that is named by its letters or its number in ISO 4217. */
function toCurrency(text: string): string | null {
  const code = text.trim().toUpperCase();
  return CURRENCIES.includes(code) ? code : (toCurrencyCode(code) ?? null);
}

const URL_OR_EMAIL =
  /:\/\/|^www\.|^\S+\.(?:com|net|org|info|biz|edu|gov|app|dev|shop|store|[a-z]{2})(?:[/?#:]\S*)?$/iu;
const DIGITS_OF_PHONE_MIN = 5;

/** Whether a city is a phone number, a URL, or an email address, as merchants without a place send it. */
function isContact(city: string): boolean {
  const digits = city.replaceAll(/[^0-9]/gu, "").length;
  return (digits >= DIGITS_OF_PHONE_MIN && !/\p{L}/u.test(city)) || URL_OR_EMAIL.test(city);
}

/** PostgreSQL stores neither NUL nor a lone surrogate. */
function toStorable(text: string): string {
  return text.slice(0, RECEIVED_MAX).toWellFormed().replaceAll("\0", "\ufffd");
}
