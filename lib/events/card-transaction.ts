import { z } from "zod";
import { event } from "#lib/events/event.ts";
import { toMerchant, toVerification } from "#lib/events/internal/card-transaction.ts";
import { BOUGHT, cardTransactionShape } from "#lib/api/contract/transaction.ts";
import { AMOUNT, FUND_CARD } from "#lib/events/internal/calls.ts";
import { say } from "#lib/sentences/say.ts";
import type { Sentence } from "#lib/sentences/say.ts";
import type { Teller } from "#lib/sentences/teller.ts";

export const cardTransaction = event({
  name: "card.transaction",
  order: 8,
  when: "A purchase, an authorization, an increment, or a verification was approved, an authorization was captured, or a refund was taken back.",
  data: z.strictObject(cardTransactionShape).meta({ id: "CardTransaction" }),
  example: { data: BOUGHT },
  tell: tellTransaction,
  trigger: {
    needs: "active card",
    calls: [...FUND_CARD, ["transactions.mock", "$card", { type: "deduct", amount: AMOUNT }]],
  },
});

function tellTransaction(teller: Teller): Sentence {
  if (teller.text("type") === "verification") {
    return say`${toVerification(teller)} was approved on ${teller.subject}${toMerchant(teller)}`;
  }
  if (teller.text("takes_back") !== "") {
    return say`The card network took back ${teller.moved()} refunded to ${teller.subject}${toMerchant(teller)}`;
  }
  // Only an increment has an earlier amount.
  return typeof teller.before["amount"] === "number"
    ? say`An authorization on ${teller.subject}${toMerchant(teller)} was increased to ${teller.moved()}`
    : say`${teller.moved()} was ${toOutcome(teller)} on ${teller.subject}${toMerchant(teller)}`;
}

function toOutcome(teller: Teller): string {
  if (teller.text("status") === "authorized") {
    return typeof teller.after["requested_amount"] === "number"
      ? `authorized of ${teller.money("requested_amount")} requested`
      : "authorized";
  }
  if (teller.text("status") === "captured") {
    return "approved after its capture";
  }
  return teller.text("authorization_id") === "" ? "spent" : "captured";
}
