import { z } from "zod";
import {
  cardBalanceAfter,
  coverOutstanding,
  id,
  money,
  transactionReference,
} from "#lib/api/contract/event-members.ts";
import { IDS, REFUND } from "#lib/api/contract/samples.ts";
import { event } from "#lib/events/event.ts";
import { AMOUNT } from "#lib/events/internal/calls.ts";
import { say } from "#lib/sentences/say.ts";

export const cardCoverOutstanding = event({
  name: "card.cover-outstanding",
  order: 11,
  when: "A card with cover outstanding received a refund without a purchase.",
  data: z
    .strictObject({
      card_id: id,
      amount: money.describe("How much was refunded, in minor units."),
      currency: z.string().length(3),
      reference: transactionReference,
      card_balance_after: cardBalanceAfter,
      cover_outstanding: coverOutstanding,
    })
    .meta({ id: "CoverOutstanding" }),
  example: {
    data: {
      card_id: IDS.card,
      amount: REFUND.amount,
      currency: REFUND.currency,
      reference: REFUND.id,
      card_balance_after: REFUND.card_balance_after,
      cover_outstanding: 200,
    },
  },
  format: (formatter) =>
    say`${formatter.subject} received ${formatter.moved()} while ${formatter.money("cover_outstanding")} of cover is outstanding`,
  trigger: {
    needs: "card without funds",
    calls: [
      ["transactions.mock", "$card", { type: "posting", amount: AMOUNT }],
      ["transactions.mock", "$card", { type: "deduct-reversal", amount: 2 * AMOUNT, force: true }],
    ],
  },
});
