import { z } from "zod";
import { event } from "#lib/events/event.ts";
import { toMerchant, toVerification } from "#lib/events/internal/card-transaction.ts";
import { BOUGHT, cardTransactionShape } from "#lib/api/contract/transaction.ts";
import { AMOUNT, FUND_CARD } from "#lib/events/internal/calls.ts";
import { say } from "#lib/sentences/say.ts";
import type { Sentence } from "#lib/sentences/say.ts";
import type { EventFormatter } from "#lib/sentences/event-formatter.ts";

export const cardTransaction = event({
  name: "card.transaction",
  order: 8,
  when: "A purchase, an authorization, an increment, or a verification was approved, an authorization was captured, or a refund was taken back.",
  data: z.strictObject(cardTransactionShape).meta({ id: "CardTransaction" }),
  example: { data: BOUGHT },
  format: formatTransaction,
  trigger: {
    needs: "active card",
    calls: [...FUND_CARD, ["transactions.mock", "$card", { type: "deduct", amount: AMOUNT }]],
  },
});

function formatTransaction(formatter: EventFormatter): Sentence {
  if (formatter.text("type") === "verification") {
    return say`${toVerification(formatter)} was approved on ${formatter.subject}${toMerchant(formatter)}`;
  }
  if (formatter.text("takes_back") !== "") {
    return say`The card network took back ${formatter.moved()} refunded to ${formatter.subject}${toMerchant(formatter)}`;
  }
  // Only an increment has an earlier amount.
  return typeof formatter.before["amount"] === "number"
    ? say`An authorization on ${formatter.subject}${toMerchant(formatter)} was increased to ${formatter.moved()}`
    : say`${formatter.moved()} was ${toOutcome(formatter)} on ${formatter.subject}${toMerchant(formatter)}`;
}

function toOutcome(formatter: EventFormatter): string {
  if (formatter.text("status") === "authorized") {
    return typeof formatter.after["requested_amount"] === "number"
      ? `authorized of ${formatter.money("requested_amount")} requested`
      : "authorized";
  }
  if (formatter.text("status") === "captured") {
    return "approved after its capture";
  }
  return formatter.text("authorization_id") === "" ? "spent" : "captured";
}
