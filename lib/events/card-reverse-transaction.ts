import { z } from "zod";
import { REFUND } from "#lib/api/contract/samples.ts";
import { event } from "#lib/events/event.ts";
import { toMerchant } from "#lib/events/internal/card-transaction.ts";
import { BOUGHT, cardTransactionShape } from "#lib/api/contract/transaction.ts";
import { AMOUNT, FUND_CARD } from "#lib/events/internal/calls.ts";
import { say } from "#lib/sentences/say.ts";
import type { Sentence } from "#lib/sentences/say.ts";
import type { EventFormatter } from "#lib/sentences/event-formatter.ts";

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
  format: formatReversal,
  trigger: {
    needs: "active card",
    calls: [
      ...FUND_CARD,
      ["transactions.mock", "$card", { type: "deduct", amount: AMOUNT }],
      ["transactions.mock", "$card", { type: "deduct-reversal", amount: AMOUNT }],
    ],
  },
});

function formatReversal(formatter: EventFormatter): Sentence {
  if (formatter.text("takes_back") !== "") {
    return say`The card network took back ${formatter.moved()} spent on ${formatter.subject}${toMerchant(formatter)}`;
  }
  // A refund without a purchase is a refund, too.
  if (formatter.text("refund_of") !== "" || formatter.text("type") === "deduct-reversal") {
    return say`${formatter.moved()} was refunded to ${formatter.subject}${toMerchant(formatter)}`;
  }
  const why = formatter.text("status") === "expired" ? " when its authorization expired" : "";
  return say`A hold of ${formatter.moved()} on ${formatter.subject} was released${why}`;
}
