import { isDeepStrictEqual } from "node:util";
import { toDescribed } from "#lib/transactions/card-transaction-records.ts";
import type { Merchant, PurchaseDescription } from "#lib/transactions/card-transaction-records.ts";
import type { Transaction } from "#lib/transactions/transactions.ts";
import type { AuthorizedAs } from "#db/schema/descriptions.ts";
import { UNNAMED_MERCHANT } from "#db/schema/unknown-spend.ts";

/** The columns that describe a purchase, and that a clearing may replace. */
type Described = ReturnType<typeof toDescribed>;

/** How a capture describes its purchase. */
interface Cleared {
  /** The changes to the authorization's row if the capture settles it. */
  first: Partial<Described & { authorizedAs: AuthorizedAs }>;
  /** The description of a further capture's row. */
  further: PurchaseDescription & { authorizedAs: AuthorizedAs | null };
}

/** The clearing's description, merged into that of its authorization. */
export function toCleared(
  authorization: Transaction,
  clearing: PurchaseDescription | undefined,
): Cleared {
  const authorized = toAuthorized(authorization);
  const cleared = clearing ? mergeDescription(authorized, toDescribed(clearing)) : authorized;
  const before = toAuthorizedAs(authorized);
  const authorizedAs = isDeepStrictEqual(toAuthorizedAs(cleared), before) ? null : before;
  const { charged = null, occurredAt = null } = clearing ?? {};
  return {
    first: authorizedAs ? { ...cleared, authorizedAs } : {},
    // The merchant's amount and the time belong to this capture only.
    further: { ...cleared, charged, occurredAt, authorizedAs },
  };
}

function mergeDescription(authorized: Described, said: Described): Described {
  return {
    narrative: said.narrative ?? authorized.narrative,
    merchant: toMerchant(said.merchant, authorized.merchant),
    asReceived: toReceived(said, authorized),
    ...toCharge(said.merchantAmount === null ? authorized : said),
    occurredAt: said.occurredAt ?? authorized.occurredAt,
  };
}

/** The authorization's own description, also after its first capture. */
function toAuthorized({ authorizedAs, ...row }: Transaction): Described {
  if (authorizedAs === null) {
    const { narrative, merchant, asReceived, merchantAmount, merchantCurrency, occurredAt } = row;
    return { narrative, merchant, asReceived, merchantAmount, merchantCurrency, occurredAt };
  }
  const { narrative, merchant, occurred_at: occurredAt } = authorizedAs;
  return {
    narrative,
    merchant,
    asReceived: authorizedAs.as_received,
    merchantAmount: authorizedAs.merchant_amount,
    merchantCurrency: authorizedAs.merchant_currency,
    occurredAt: occurredAt === null ? null : new Date(occurredAt),
  };
}

function toAuthorizedAs(described: Described): AuthorizedAs {
  const { narrative, merchant, asReceived, merchantAmount, merchantCurrency, occurredAt } =
    described;
  return {
    narrative,
    merchant,
    as_received: asReceived,
    merchant_amount: merchantAmount,
    merchant_currency: merchantCurrency,
    occurred_at: occurredAt?.toISOString() ?? null,
  };
}

function toCharge({ merchantAmount, merchantCurrency }: Described) {
  return { merchantAmount, merchantCurrency };
}

function toMerchant(said: Merchant | null, authorized: Merchant | null): Merchant | null {
  if (said === null || authorized === null) {
    return said ?? authorized;
  }
  return {
    name: said.name === UNNAMED_MERCHANT ? authorized.name : said.name,
    mcc: said.mcc ?? authorized.mcc,
    city: said.city ?? authorized.city,
    country: said.country ?? authorized.country,
  };
}

/** The original text of each cleaned member: from the clearing if that has the member, or from the authorization. */
function toReceived(said: Described, authorized: Described): Described["asReceived"] {
  const spoken = toSpoken(said);
  const kept = Object.entries(authorized.asReceived ?? {}).filter(
    ([member]) => !spoken.has(member),
  );
  const received = { ...Object.fromEntries(kept), ...said.asReceived };
  return Object.keys(received).length === 0 ? null : received;
}

/** The members that a clearing has a value for. */
function toSpoken({ narrative, merchant, merchantAmount }: Described): ReadonlySet<string> {
  const members = Object.entries({
    narrative,
    merchant_amount: merchantAmount,
    merchant_currency: merchantAmount,
    ...Object.fromEntries(
      Object.entries(merchant ?? {}).map(([name, value]) => [`merchant.${name}`, value]),
    ),
  });
  return new Set(
    members.flatMap(([name, value]) => (value === null || value === UNNAMED_MERCHANT ? [] : name)),
  );
}
