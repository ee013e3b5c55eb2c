import { z } from "zod";
import { CARD } from "#lib/api/contract/card.ts";
import { currency, id, money, time } from "#lib/api/contract/internal/answer-members.ts";
import { pageOf } from "#lib/api/contract/page.ts";
import { IDS, REQUEST_ID } from "#lib/api/contract/samples.ts";
import { logSafe } from "#lib/base/log-safe.ts";

const statementLineSchema = z
  .strictObject({
    version: logSafe(z.int()).describe(
      "Numbers the entries of the account from 1, without a gap, in the order in which they posted.",
    ),
    posted_at: time.describe("When it posted."),
    kind: logSafe(z.string()).describe("What moved the funds, such as card_credit."),
    description: z.string().describe("The same in words, such as Funded card •••• 9775."),
    net: money.describe(
      "The amount, in minor units of currency. Positive for funds into the account, negative for funds out of it.",
    ),
    balance_after: money.describe("The account's balance right after this, in minor units."),
    currency,
    card_id: id
      .nullable()
      .describe("The card; null for a movement between the float and no card, such as a top-up."),
    last4: z.string().nullable().describe("The last four digits of the card; null without one."),
    transaction_id: id
      .nullable()
      .describe("The card's transaction; null for a movement between the float and no card."),
    narrative: z.string().nullable(),
    transfer_id: id.describe("The id of the ledger's transfer, of which this is one side."),
    request_id: z.string(),
    occurred_at: time.nullable(),
  })
  .meta({ id: "StatementLine" });

const statementSchema = z
  .strictObject({
    account: logSafe(z.enum(["float", "card"])).describe("Whose statement it is."),
    card_id: id.nullable().describe("The card; null for the float."),
    period: logSafe(z.string()).describe("The name of the period, such as 2026-10."),
    from: time.describe("Where the period begins."),
    to: time.describe("Where the period ends; this moment is no longer part of it."),
    time_zone: z.string().describe("In whose days the period was read: the account's."),
    final: logSafe(z.boolean()).describe(
      "Whether nothing can post in the period any more. Until then, closing_balance is the balance so far.",
    ),
    currency,
    opening_balance: money.describe("The balance when the period began, in minor units."),
    totals: z
      .array(
        z
          .strictObject({
            kind: logSafe(z.string()).describe(
              "What moved the funds, such as card_credit; other for what is not known by kind, in periods of more than 100,000 lines.",
            ),
            name: z.string().describe("The same in words, such as Funded cards."),
            net: money.describe("What they added to the balance together, in minor units."),
          })
          .meta({ id: "StatementTotal" }),
      )
      .describe(
        "What each kind of movement came to. Together with opening_balance, they are closing_balance.",
      ),
    closing_balance: money.describe("The balance when the period ended, in minor units."),
    lines: logSafe(z.int()).describe("How many lines the statement has."),
  })
  .meta({ id: "Statement" });

/** A statement, and a page of its lines. */
export const statementPageSchema = pageOf(statementLineSchema).extend({
  statement: statementSchema.describe("The statement without its lines, which are the data."),
});

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
