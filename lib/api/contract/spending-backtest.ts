import { z } from "zod";
import { currency, id, money, time } from "#lib/api/contract/internal/answer-members.ts";
import { namedCard } from "#lib/api/contract/internal/named-card.ts";
import { logSafe } from "#lib/base/log-safe.ts";
import { DECLINE_REASONS } from "#lib/transactions/decline-rules.ts";

/** What spending controls would have declined, in answers. */

const reason = logSafe(z.enum(DECLINE_REASONS)).describe("The rule that would have declined it.");

const tally = {
  count: logSafe(z.int()).describe("How many would have been declined."),
  amount: money.describe("What they amount to, in minor units."),
};

export const spendingBacktestSchema = z
  .strictObject({
    currency,
    from: time.describe("When the replay begins, by the clock of the account."),
    to: time.describe("When it ends."),
    complete: logSafe(z.boolean()).describe(
      "Whether everything since the first day was replayed, and not only the newest.",
    ),
    questions: logSafe(z.int()).describe("How many were replayed."),
    declined: z
      .strictObject(tally)
      .describe("Those that would have been declined, taken together."),
    by_reason: z
      .array(z.strictObject({ reason, ...tally }))
      .describe("The same for each rule, the one with the most declines first."),
    by_day: z
      .array(
        z.strictObject({
          day: logSafe(z.iso.date()).describe("In the time zone of the account."),
          ...tally,
        }),
      )
      .describe("The same for each day with a declined question, the oldest first."),
    by_card: z
      .array(
        z.strictObject({
          ...namedCard,
          ...tally,
        }),
      )
      .describe("The same for each card, at most 50: those with the most declines first."),
    cards: logSafe(z.int()).describe("How many cards would have been declined."),
    first: z
      .array(
        z.strictObject({
          transaction_id: id.describe("The transaction that was approved."),
          card_id: id,
          merchant_name: z
            .string()
            .nullable()
            .describe("What the merchant is called; null if the network did not say."),
          reason,
          amount: money.describe("What was asked for, in minor units."),
          at: time.describe("When it was asked for, by the clock of the account."),
        }),
      )
      .describe("The first 50 that would have been declined, the oldest first."),
  })
  .meta({ id: "SpendingBacktest" });

export const SPENDING_BACKTEST = {
  currency: "USD",
  from: "2026-10-22T07:56:22.186Z",
  to: "2026-11-21T07:56:22.186Z",
  complete: true,
  questions: 0,
  declined: { count: 0, amount: 0 },
  by_reason: [],
  by_day: [],
  by_card: [],
  cards: 0,
  first: [],
};
