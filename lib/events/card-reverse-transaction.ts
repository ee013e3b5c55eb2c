import { z } from "zod";
import { REFUND } from "#lib/api/contract/samples.ts";
import { event } from "#lib/events/event.ts";
import { toMerchant } from "#lib/events/internal/card-transaction.ts";
import { BOUGHT, cardTransactionShape } from "#lib/api/contract/transaction.ts";
import { AMOUNT, FUND_CARD } from "#lib/events/internal/calls.ts";
import { say } from "#lib/sentences/say.ts";
import type { Sentence } from "#lib/sentences/say.ts";
import type { Teller } from "#lib/sentences/teller.ts";

export const cardReverseTransaction = event({
  name: "card.reverse-transaction",
  order: 9,
  when: "A purchase was refunded or taken back, or a hold was released.",
  data: z
    .strictObject({
      ...cardTransactionShape,
      due_at: z.iso
        .datetime()
        .nullable()
        .describe("The deadline of an authorization that has expired; null in any other case."),
    })
    .meta({ id: "ReversedCardTransaction" }),
  example: {
    data: {
      ...BOUGHT,
      amount: REFUND.amount,
      card_balance_after: REFUND.card_balance_after,
      posted_as: null,
      refund_of: REFUND.refund_of,
      refund_exceeds: REFUND.refund_exceeds,
      due_at: null,
    },
  },
  tell: tellReversal,
  trigger: {
    needs: "active card",
    calls: [
      ...FUND_CARD,
      ["transactions.mock", "$card", { type: "deduct", amount: AMOUNT }],
      ["transactions.mock", "$card", { type: "deduct-reversal", amount: AMOUNT }],
    ],
  },
});

function tellReversal(teller: Teller): Sentence {
  if (teller.text("takes_back") !== "") {
    return say`The card network took back ${teller.moved()} spent on ${teller.subject}${toMerchant(teller)}`;
  }
  // A refund without a purchase is a refund, too.
  if (teller.text("refund_of") !== "" || teller.text("type") === "deduct-reversal") {
    return say`${teller.moved()} was refunded to ${teller.subject}${toMerchant(teller)}`;
  }
  const why = teller.text("status") === "expired" ? " when its authorization expired" : "";
  return say`A hold of ${teller.moved()} on ${teller.subject} was released${why}`;
}
