import { z } from "zod";
import { currency, id, money, time } from "#lib/api/contract/internal/answer-members.ts";
import { IDS, UPDATED_AT } from "#lib/api/contract/samples.ts";

/** The float in answers. */

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

export const FLOAT = {
  id: IDS.float,
  balance: 1_000_000,
  currency: "USD",
  available: 1_000_000,
  deficit: 0,
  low_balance_threshold: 100_000,
  updated_at: UPDATED_AT,
};
