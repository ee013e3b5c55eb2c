import type { Entries } from "#lib/api/reference/entry.ts";
import { CREDIT, IDS, PURCHASE } from "#lib/api/reference/samples.ts";

export const TRANSACTIONS: Entries = {
  listCardTransactions: {
    description: "Page by number or by cursor; a cursor is as fast on every page.",
    example: {
      id: IDS.card,
      query: { type: "credit,deduct", status: "settled", from: "2026-11-01", limit: "15" },
      answer: { data: [CREDIT], message: "Ok", next_page: null, next_cursor: null },
    },
  },
  getTransaction: {
    description: "The same as GET /transactions/{id}, with a message beside the data.",
    example: { id: IDS.transaction, answer: { data: CREDIT, message: "Ok" } },
  },
  getTransactionById: {
    description: "A transaction of any card of the account.",
    example: { id: IDS.transaction, answer: { data: CREDIT } },
  },
  listTransactions: {
    description:
      "from and to take a time or a day; a day is one in UTC, and to includes it. type, status, and decline_reason take several values, separated by commas.",
    example: {
      query: { card_id: IDS.card, type: "credit,debit", from: "2026-11-01", limit: "15" },
      answer: { data: [CREDIT], next_cursor: null },
    },
  },
  mockTransaction: {
    description:
      "A decline is an answer too: 200, with the status declined and an explanation. A capture, a reversal, an expiry, and a refund need the transaction_id of the transaction that they concern. expire does now what happens when the authorization's deadline passes. decline_with declines for the reason that it names; the explanation then says that it was forced in the sandbox.",
    example: {
      id: IDS.card,
      body: {
        type: "deduct",
        amount: 50,
        narrative: PURCHASE.narrative,
        merchant: PURCHASE.merchant,
      },
      answer: {
        data: { ...PURCHASE, amount: 50, card_balance_after: 1_950 },
        message: "Ok",
      },
    },
  },
};
