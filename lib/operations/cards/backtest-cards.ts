import { z } from "zod";
import { optionalId } from "#lib/api/contract/fields.ts";
import { SPENDING_BACKTEST, spendingBacktestSchema } from "#lib/api/contract/spending-backtest.ts";
import { spendingControlsRequest } from "#lib/api/contract/spending-controls.ts";
import { logSafe } from "#lib/base/log-safe.ts";
import { BACKTEST_DAYS_MAX, BACKTEST_QUESTIONS_MAX } from "#lib/purchases/backtest-limits.ts";
import { operation } from "#lib/operations/operation.ts";

const DAYS = `This field must be a whole number of days, 1 to ${BACKTEST_DAYS_MAX}.`;

export const backtestCards = operation({
  id: "backtestCards",
  method: "POST",
  path: "/spending-controls/backtest",
  summary: "Backtest spending controls",
  description: `What the controls would have declined of approved authorizations, purchases, and increments, the newest ${BACKTEST_QUESTIONS_MAX.toLocaleString("en-US")}, with ample funds. What preceded counts as recorded; a decline uses nothing, nor do its captures.`,
  kind: "read",
  large: true,
  scope: "transactions:read",
  body: z.strictObject({
    spending_controls: spendingControlsRequest.describe("The controls to try."),
    card_id: optionalId.describe("Only for this card; null for all cards."),
    days: logSafe(z.int(DAYS).min(1, DAYS).max(BACKTEST_DAYS_MAX, DAYS).default(30)).describe(
      "How far to look back, by the clock of the account.",
    ),
  }),
  answer: z.strictObject({
    data: spendingBacktestSchema,
  }),
  errors: ["card_not_found"],
  examples: [
    {
      body: {
        spending_controls: { spending_limits: [{ amount: 50_000, interval: "monthly" }] },
        days: 30,
      },
      answer: {
        data: SPENDING_BACKTEST,
      },
    },
  ],
});
