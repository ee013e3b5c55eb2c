import { z } from "zod";
import { currency, id, money, time } from "#lib/api/contract/internal/answer-members.ts";
import { logSafe } from "#lib/base/log-safe.ts";
import { FLOAT_KINDS } from "#lib/funds/float-kinds.ts";

export const floatEntrySchema = z
  .strictObject({
    transfer_id: id.describe("The id of the ledger's transfer, of which this is the float's side."),
    kind: logSafe(z.string()).describe(`What moved the funds: one of ${FLOAT_KINDS.join(", ")}.`),
    amount: money.describe(
      "The amount, in minor units of currency. Positive for funds into the float, negative for funds out of it.",
    ),
    currency,
    balance_after: money.describe("The float's balance right after this entry, in minor units."),
    version: logSafe(z.int()).describe("Numbers the entries of the float from 1, without a gap."),
    card_id: id
      .nullable()
      .describe("The card on the other side; null for a top-up and the repayment of a deficit."),
    narrative: z
      .string()
      .nullable()
      .describe("The text sent with the credit or debit; null without one."),
    request_id: z.string(),
    created_at: time,
  })
  .meta({ id: "FloatEntry" });
