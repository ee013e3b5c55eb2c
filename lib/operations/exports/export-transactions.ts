import { z } from "zod";
import { transactionFilter } from "#lib/api/contract/filters.ts";
import { csv, linked } from "#lib/operations/exports/parts.ts";
import { toFile } from "#lib/operations/exports/samples.ts";
import { TRANSACTION_COLUMNS } from "#lib/transactions/transaction-resource.ts";
import { operation } from "#lib/operations/operation.ts";
import { CARD } from "#lib/api/contract/card.ts";
import { CREDIT, IDS, REQUEST_ID } from "#lib/api/contract/samples.ts";

/** The cells of a credit that are not empty. */
const CELLS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    id: CREDIT.id,
    created_at: CREDIT.created_at,
    settled_at: CREDIT.settled_at,
    type: "credit",
    status: "settled",
    amount: "20.00",
    currency: "USD",
    card_balance_before: "0.00",
    card_balance_after: "20.00",
    refunded: "0.00",
    card_id: IDS.card,
    actor_type: "api_key",
    actor_name: "First key",
    request_id: REQUEST_ID,
    created_date: CREDIT.created_at.slice(0, 10),
    posted_at: CREDIT.settled_at,
    posted_date: CREDIT.created_at.slice(0, 10),
    net: "20.00",
    holder: CARD.card_name,
    last4: `"=""${CARD.last4}"""`,
    taken_back: "0.00",
  }),
);

export const exportTransactions = operation({
  id: "exportTransactions",
  method: "GET",
  path: "/exports/transactions",
  summary: "Export transactions as CSV, newest first, without a row limit",
  description:
    "Takes the filters of the list of transactions, by created_at; net is what moved the card's balance at posted_at. Only a statement adds up to a month. Times have the offset of the account's time_zone. Without cards:read, holder and last4 are empty.",
  kind: "read",
  scope: "transactions:read",
  query: z.strictObject({ ...linked, ...transactionFilter }),
  answer: csv,
  examples: [
    {
      query: { type: "credit", from: "2026-11-01" },
      answer: toFile(
        TRANSACTION_COLUMNS.join(","),
        TRANSACTION_COLUMNS.map((name) => CELLS.get(name) ?? "").join(","),
      ),
    },
  ],
});
