import { z } from "zod";
import { PURCHASE } from "#lib/api/contract/samples.ts";
import { event } from "#lib/events/event.ts";
import {
  BOUGHT,
  cardTransactionShape,
  toMerchant,
  toVerification,
} from "#lib/events/internal/card-transaction.ts";
import { AMOUNT } from "#lib/events/internal/calls.ts";
import { say } from "#lib/sentences/say.ts";
import type { Teller } from "#lib/sentences/teller.ts";
import { toDeclineReasonName } from "#lib/transactions/decline-rules.ts";

export const cardTransactionDeclined = event({
  name: "card.transaction-declined",
  order: 10,
  when: "A purchase, an authorization, or a verification was declined.",
  data: {
    schema: z
      .strictObject({
        ...cardTransactionShape,
        decline_reason: z.string().nullable(),
        decline_explanation: z
          .string()
          .nullable()
          .describe("What was wrong at that moment, and what to do about it."),
      })
      .meta({ id: "DeclinedCardTransaction" }),
    text: "a card transaction, declined",
  },
  example: {
    data: {
      ...BOUGHT,
      status: "declined",
      card_balance_after: PURCHASE.card_balance_before,
      decline_reason: "card_frozen",
      decline_explanation: "The card was frozen. Unfreeze it and retry.",
    },
  },
  tell: (teller) =>
    teller.text("type") === "verification"
      ? say`${toVerification(teller)} of ${teller.subject}${toMerchant(teller)} was declined: ${toDecline(teller)}`
      : say`${teller.moved()} was declined on ${teller.subject}${toMerchant(teller)}: ${toDecline(teller)}`,
  trigger: {
    needs: "new card",
    calls: [["transactions.mock", "$card", { type: "deduct", amount: AMOUNT }]],
  },
});

function toDecline(teller: Teller): string {
  return toDeclineReasonName(teller.text("decline_reason")).toLowerCase();
}
