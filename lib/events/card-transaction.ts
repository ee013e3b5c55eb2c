import { z } from "zod";
import { event } from "#lib/events/event.ts";
import {
  BOUGHT,
  cardTransactionShape,
  toMerchant,
  toVerification,
} from "#lib/events/internal/card-transaction.ts";
import { AMOUNT, FUND_CARD } from "#lib/events/internal/calls.ts";
import { say } from "#lib/sentences/say.ts";
import type { Teller } from "#lib/sentences/teller.ts";

export const cardTransaction = event({
  name: "card.transaction",
  order: 8,
  when: "A purchase, an authorization, or a verification was approved, or an authorization was captured.",
  data: {
    schema: z.strictObject(cardTransactionShape).meta({ id: "CardTransaction" }),
    text: "a card transaction",
  },
  example: { data: BOUGHT },
  tell: (teller) =>
    teller.text("type") === "verification"
      ? say`${toVerification(teller)} of ${teller.subject}${toMerchant(teller)} was approved`
      : say`${teller.moved()} was ${toOutcome(teller)} on ${teller.subject}${toMerchant(teller)}`,
  trigger: {
    needs: "active card",
    calls: [...FUND_CARD, ["transactions.mock", "$card", { type: "deduct", amount: AMOUNT }]],
  },
});

function toOutcome(teller: Teller): string {
  if (teller.text("status") === "authorized") {
    return typeof teller.after["requested_amount"] === "number"
      ? `authorized of ${teller.money("requested_amount")} requested`
      : "authorized";
  }
  return teller.text("authorization_id") === "" ? "spent" : "captured";
}
