import { z } from "zod";
import { CREDIT, IDS } from "#lib/api/contract/samples.ts";
import {
  cardBalanceAfter,
  floatBalance,
  id,
  money,
  transactionReference,
} from "#lib/api/contract/event-members.ts";
import { COVER_SOURCES } from "#lib/transactions/transaction-kinds.ts";

export const FUND_MOVEMENT = z
  .strictObject({
    card_id: id,
    amount: money.describe("How much moved, in minor units."),
    currency: z.string().length(3),
    reference: transactionReference,
    card_balance_after: cardBalanceAfter,
    float_balance_after: floatBalance,
    cover_of: id.optional(),
    source: z
      .enum(COVER_SOURCES)
      .optional()
      .describe("What covered the purchase: the float, or what is owed. Only with cover_of."),
  })
  .meta({ id: "FundMovement" });

/** A fund movement from the float to a card. */
export const MOVED = {
  card_id: IDS.card,
  amount: 2_000,
  currency: "USD",
  reference: CREDIT.id,
  card_balance_after: 2_000,
  float_balance_after: 998_000,
};
