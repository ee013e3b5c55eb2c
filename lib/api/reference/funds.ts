import type { Entries } from "#lib/api/reference/entry.ts";
import { CARD, FLOAT, IDS, REQUEST_ID } from "#lib/api/reference/samples.ts";

const CREDIT_BODY = { card_id: IDS.card, amount: 2_000 };

export const FUNDS: Entries = {
  creditCard: {
    description:
      "Float down, card up, together or not at all. Send an Idempotency-Key, so that a retry never moves the funds twice.",
    example: { body: CREDIT_BODY, answer: CARD },
  },
  debitCard: {
    description: "Card down, float up, together or not at all. At most what is available.",
    example: {
      body: { card_id: IDS.card, amount: 500 },
      answer: { ...CARD, balance: 1_500, available: 1_500 },
    },
  },
  topUpCard: {
    description: "Use PATCH /cards/credit/balance instead.",
    example: { body: CREDIT_BODY, answer: CARD },
  },
  topUpFloat: {
    description: "Simulates a bank transfer. In live, the card network reports funds.",
    example: {
      body: { amount: 1_000_000 },
      answer: { message: "Balance updated successfully", data: FLOAT },
    },
  },
  getFloat: {
    description: "The balance that credits come from.",
    example: { answer: FLOAT },
  },
  listFloatEntries: {
    description: "Every movement into and out of the float, with the balance after it.",
    example: {
      query: { kind: "card_credit", limit: "15" },
      answer: {
        data: [
          {
            transfer_id: IDS.transfer,
            kind: "card_credit",
            amount: -2_000,
            currency: "USD",
            balance_after: 998_000,
            version: 2,
            card_id: IDS.card,
            narrative: null,
            request_id: REQUEST_ID,
            created_at: FLOAT.updated_at,
          },
        ],
        next_cursor: null,
      },
    },
  },
};
