import { z } from "zod";
import { transactionFilter } from "#lib/api/contract/filters.ts";
import { csv, linked } from "#lib/operations/exports/parts.ts";
import { toFile } from "#lib/operations/exports/samples.ts";
import { operation } from "#lib/operations/operation.ts";
import { CARD } from "#lib/api/contract/card.ts";
import { CREDIT, IDS, REQUEST_ID } from "#lib/api/contract/samples.ts";

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
        "id,created_at,settled_at,type,status,amount,currency,card_balance_before,card_balance_after,narrative,merchant_name,merchant_mcc,merchant_city,merchant_country,decline_reason,decline_explanation,hold_amount,hold_captured,hold_released,hold_expires_at,refunded,card_id,authorization_id,refund_of,actor_type,actor_name,request_id,requested_amount,merchant_amount,merchant_currency,posted_as,covered_float,covered_deficit,cover_of,refund_exceeds,created_date,posted_at,posted_date,net,holder,last4,category_name,increment_of,takes_back,taken_back,occurred_at,approved_by,overruled_decline",
        `${CREDIT.id},${CREDIT.created_at},${CREDIT.settled_at},credit,settled,20.00,USD,0.00,20.00,,,,,,,,,,,,0.00,${IDS.card},,,api_key,First key,${REQUEST_ID},,,,,,,,,${CREDIT.created_at.slice(0, 10)},${CREDIT.settled_at},${CREDIT.created_at.slice(0, 10)},20.00,${CARD.card_name},"=""${CARD.last4}""",,,,0.00,,,`,
      ),
    },
  ],
});
