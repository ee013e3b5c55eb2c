import { sql } from "drizzle-orm";
import { index } from "drizzle-orm/pg-core";
import type { ExtraConfigColumn } from "drizzle-orm/pg-core";
import { isNamed } from "./columns.ts";
import { UNKNOWN_SPEND, UNNAMED_MERCHANT } from "./unknown-spend.ts";

const toSpendName = (member: "mcc" | "country") =>
  sql.raw(
    `(case when type not in ('credit', 'debit') then coalesce(merchant ->> '${member}', '${UNKNOWN_SPEND}') end)`,
  );

/**
 * The category and the country under which a purchase, a refund, or a verification is listed and summed: the
 * merchant's, as shown. Null for movements between float and card. Neither changes once the transaction has settled.
 */
export const SPEND_CATEGORY = toSpendName("mcc");
export const SPEND_COUNTRY = toSpendName("country");

/** What `trim` removes in JavaScript. */
const WHITE_SPACE = String.raw`\t\n\v\f\r \u00A0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200A\u2028\u2029\u202F\u205F\u3000\uFEFF`;

/** Likewise the merchant's name, trimmed. It has no index: `transactions_text` finds names. */
export const SPEND_MERCHANT = sql.raw(
  `(case when type not in ('credit', 'debit')
    then coalesce(nullif(btrim(merchant ->> 'name', E'${WHITE_SPACE}'), ''), '${UNNAMED_MERCHANT}') end)`,
);

/** Each index ends with the time of posting, so that a period's rows are found without reading others. */
export function toSpendIndexes({
  integratorId,
  id,
  settledAt,
}: Readonly<Record<"integratorId" | "id" | "settledAt", ExtraConfigColumn>>) {
  return [
    index("transactions_category")
      .on(integratorId, SPEND_CATEGORY, id, settledAt)
      .where(isNamed(SPEND_CATEGORY)),
    index("transactions_country")
      .on(integratorId, SPEND_COUNTRY, id, settledAt)
      .where(isNamed(SPEND_COUNTRY)),
  ];
}
