import { CARD, IDS, REQUEST_ID } from "#lib/api/contract/samples.ts";

/** What statements answer about the records of `samples.ts`. */

const STATEMENT = {
  period: "2026-11",
  from: "2026-11-01T00:00:00.000Z",
  to: "2026-12-01T00:00:00.000Z",
  time_zone: "UTC",
  final: false,
  currency: "USD",
};

const STATEMENT_LINE = {
  posted_at: CARD.updated_at,
  kind: "card_credit",
  currency: "USD",
  card_id: IDS.card,
  last4: CARD.last4,
  transaction_id: IDS.transaction,
  narrative: null,
  transfer_id: IDS.transfer,
  request_id: REQUEST_ID,
  occurred_at: null,
};

export const FLOAT_STATEMENT = {
  data: [
    {
      ...STATEMENT_LINE,
      version: 2,
      description: `Funded card •••• ${CARD.last4}`,
      net: -2_000,
      balance_after: 998_000,
    },
  ],
  next_cursor: null,
  statement: {
    ...STATEMENT,
    account: "float",
    card_id: null,
    opening_balance: 1_000_000,
    totals: [{ kind: "card_credit", name: "Funded cards", net: -2_000 }],
    closing_balance: 998_000,
    lines: 1,
  },
};

export const CARD_STATEMENT = {
  data: [
    {
      ...STATEMENT_LINE,
      version: 1,
      description: "Funded from the float",
      net: 2_000,
      balance_after: 2_000,
    },
  ],
  next_cursor: null,
  statement: {
    ...STATEMENT,
    account: "card",
    card_id: IDS.card,
    opening_balance: 0,
    totals: [{ kind: "card_credit", name: "Funded from the float", net: 2_000 }],
    closing_balance: 2_000,
    lines: 1,
  },
};
