import { z } from "zod";
import { currency, id, money, time } from "#lib/api/contract/internal/answer-members.ts";
import { FLOAT_KINDS } from "#lib/funds/float-kinds.ts";
import { logSafe } from "#lib/base/log-safe.ts";

export const deficit = money.describe(
  "What is owed because neither card nor float could pay it, in minor units.",
);

export const floatSchema = z
  .strictObject({
    id,
    balance: money.describe("The funds in the float, in minor units of currency."),
    currency,
    available: money,
    deficit,
    low_balance_threshold: money.nullable(),
    updated_at: time,
  })
  .meta({ id: "Float" });

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
