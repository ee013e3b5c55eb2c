import { toOptions } from "../../list/field.ts";
import { DAYS, declareList } from "../../list/list.ts";
import { DECLINE_REASON_NAMES, DECLINE_REASONS } from "#lib/transactions/decline-rules.ts";
import {
  POSTED_AS_NAMES,
  POSTED_WITHOUT_APPROVAL,
  TRANSACTION_STATUS_NAMES,
  TRANSACTION_STATUSES,
  TRANSACTION_TYPE_NAMES,
  TRANSACTION_TYPES,
} from "#lib/transactions/transaction-kinds.ts";
import { TRANSACTION_COLUMNS } from "./transactions-columns.tsx";

const POSTED_AS = [
  { id: "any" as const, name: "Posted without approval" },
  ...toOptions(POSTED_WITHOUT_APPROVAL, POSTED_AS_NAMES),
];

/** The transactions of an account, newest first. */
export const TRANSACTIONS = declareList({
  path: "/transactions",
  views: "transactions",
  noun: "transactions",
  hint: "Search covers narratives, merchants, decline reasons, names on cards, last four digits, cardholders' emails, amounts, and IDs.",
  exportPath: "/api/exports/transactions",
  columns: TRANSACTION_COLUMNS,
  fields: {
    search: {
      kind: "search",
      label: "Search transactions",
      placeholder: "Narrative, merchant, amount, or ID",
    },
    type: {
      kind: "choice",
      label: "Type",
      options: toOptions(TRANSACTION_TYPES, TRANSACTION_TYPE_NAMES),
    },
    status: {
      kind: "choice",
      label: "Status",
      options: toOptions(TRANSACTION_STATUSES, TRANSACTION_STATUS_NAMES),
    },
    decline_reason: {
      kind: "choice",
      label: "Decline reason",
      options: toOptions(DECLINE_REASONS, DECLINE_REASON_NAMES),
    },
    posted_as: { kind: "choice", label: "Posted without approval", options: POSTED_AS },
    ...DAYS,
    amount_min: { kind: "amount", label: "Minimum amount", word: "At least" },
    amount_max: { kind: "amount", label: "Maximum amount", word: "At most" },
    card_id: { kind: "card", label: "Card" },
    user_id: { kind: "record", label: "Cardholder" },
    mcc: { kind: "category", label: "Category" },
    country: { kind: "country", label: "Country" },
    merchant: { kind: "linkedText", label: "Merchant" },
    posted_from: { kind: "linkedDay", label: "Posted from", word: "Posted from" },
    posted_to: { kind: "linkedDay", label: "Posted through", word: "Posted through" },
  },
});
