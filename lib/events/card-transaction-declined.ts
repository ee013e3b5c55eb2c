import { z } from "zod";
import { PURCHASE } from "#lib/api/contract/samples.ts";
import { event } from "#lib/events/event.ts";
import { toMerchant, toVerification } from "#lib/events/internal/card-transaction.ts";
import { BOUGHT, cardTransactionShape } from "#lib/api/contract/transaction.ts";
import { AMOUNT } from "#lib/events/internal/calls.ts";
import { say } from "#lib/sentences/say.ts";
import type { Sentence } from "#lib/sentences/say.ts";
import type { EventFormatter } from "#lib/sentences/event-formatter.ts";
import { toDeclineReasonName } from "#lib/transactions/decline-rules.ts";

export const cardTransactionDeclined = event({
  name: "card.transaction-declined",
  order: 10,
  when: "A purchase, an authorization, an increment, or a verification was declined.",
  data: z
    .strictObject({
      ...cardTransactionShape,
      decline_reason: z.string().nullable().describe("Why it was declined, as on the transaction."),
      decline_explanation: z
        .string()
        .nullable()
        .describe("What was wrong at that moment, and what to do about it."),
    })
    .meta({ id: "DeclinedCardTransaction" }),
  example: {
    data: {
      ...BOUGHT,
      status: "declined",
      card_balance_after: PURCHASE.card_balance_before,
      decline_reason: "card_frozen",
      decline_explanation: "The card was frozen. Find out why before you unfreeze it.",
    },
  },
  format: (formatter) =>
    say`${toDeclined(formatter)} was declined on ${formatter.subject}${toMerchant(formatter)}: ${toReason(formatter)}`,
  trigger: {
    needs: "new card",
    calls: [["transactions.mock", "$card", { type: "deduct", amount: AMOUNT }]],
  },
});

/** A decline that names an authorization is an increment's: a further capture is never declined. */
function toDeclined(formatter: EventFormatter): Sentence {
  if (formatter.text("type") === "verification") {
    return [toVerification(formatter)];
  }
  const moved = formatter.moved();
  return formatter.text("authorization_id") === "" ? [moved] : say`An increment of ${moved}`;
}

function toReason(formatter: EventFormatter): string {
  return toDeclineReasonName(formatter.text("decline_reason")).toLowerCase();
}
