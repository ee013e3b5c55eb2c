import type { Entries } from "#lib/api/reference/entry.ts";
import { CARD, CREDIT, IDS, REQUEST_ID } from "#lib/api/reference/samples.ts";

const toFile = (...lines: string[]) => lines.map((line) => `${line}\r\n`).join("");

export const EXPORTS: Entries = {
  exportCards: {
    description:
      "Amounts are in the major unit, as spreadsheets expect them. Times have the offset of the account's time_zone.",
    example: {
      query: { status: "active" },
      answer: toFile(
        "id,name,last4,status,currency,balance,held,available,single_use,expires_at,created_at,frozen_at,freeze_reason,user_id",
        `${CARD.id},${CARD.card_name},${CARD.last4},active,USD,20.00,0.00,20.00,false,${CARD.expiry},${CARD.created_at},,,${CARD.user_id}`,
      ),
    },
  },
  exportFloatEntries: {
    description:
      "Amounts are in the major unit; funds into the float are positive. Times have the offset of the account's time_zone.",
    example: {
      answer: toFile(
        "version,kind,amount,balance_after,currency,card_id,transfer_id,request_id,created_at,narrative",
        `2,card_credit,-20.00,9980.00,USD,${CARD.id},${IDS.transfer},${REQUEST_ID},${CARD.updated_at},`,
      ),
    },
  },
  exportTransactions: {
    description:
      "Takes the filters of the list of transactions. Times have the offset of the account's time_zone.",
    example: {
      query: { type: "credit", from: "2026-11-01" },
      answer: toFile(
        "id,created_at,settled_at,type,status,amount,currency,card_balance_before,card_balance_after,narrative,merchant_name,merchant_mcc,merchant_city,merchant_country,decline_reason,decline_explanation,hold_amount,hold_captured,hold_released,hold_expires_at,refunded,card_id,authorization_id,refund_of,actor_type,actor_name,request_id",
        `${CREDIT.id},${CREDIT.created_at},${CREDIT.settled_at},credit,settled,20.00,USD,0.00,20.00,,,,,,,,,,,,0.00,${IDS.card},,,api_key,First key,${REQUEST_ID}`,
      ),
    },
  },
};
