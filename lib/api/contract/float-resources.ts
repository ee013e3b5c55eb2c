import { z } from "zod";
import { currency, id, money, time } from "#lib/api/contract/internal/answer-members.ts";
import { logSafe } from "#lib/base/log-safe.ts";

export const deficit = money.describe("What is owed because neither card nor float could pay it.");

export const floatSchema = z
  .strictObject({
    id,
    balance: money,
    currency,
    available: money,
    deficit,
    low_balance_threshold: money.nullable(),
    updated_at: time,
  })
  .meta({ id: "Float" });

export const floatEntrySchema = z
  .strictObject({
    transfer_id: id,
    kind: logSafe(z.string()),
    amount: money.describe("Signed: funds into the float are positive."),
    currency,
    balance_after: money,
    version: logSafe(z.int()),
    card_id: id.nullable(),
    narrative: z.string().nullable().describe("The text sent with the credit or debit."),
    request_id: z.string(),
    created_at: time,
  })
  .meta({ id: "FloatEntry" });
