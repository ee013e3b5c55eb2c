import type { DeclaredActions } from "#lib/audit/action.ts";
import { toLevelName } from "#lib/cards/card-state.ts";
import { say } from "#lib/sentences/say.ts";
import type { Sentence } from "#lib/sentences/say.ts";
import type { Teller } from "#lib/sentences/teller.ts";
import { SIMULATIONS } from "#lib/transactions/transaction-kinds.ts";
import type { Simulation } from "#lib/transactions/transaction-kinds.ts";

export const CARD_ACTIONS: DeclaredActions = {
  "card.fact-matched": {
    title: "Card network report matched",
    tell: (teller) =>
      say`${teller.who} matched ${toTransaction(teller)} that the card network had reported to ${teller.subject}`,
  },
  "card.freeze-lifted": {
    title: "Freeze lifted",
    tell: (teller) =>
      say`${teller.who} lifted the ${toLevelName(teller.text("level"))} freeze of ${teller.subject}, which stays frozen`,
  },
  "card.noted": { title: "Note added", tell: tellNote },
  "card.transaction-simulated": { title: "Transaction simulated", tell: tellSimulation },
};

function toTransaction(teller: Teller, text = "a transaction", id = "reference") {
  return { text, href: `/transactions/${teller.text(id)}` };
}

function tellNote(teller: Teller): Sentence {
  const { who, subject } = teller;
  return teller.text("transaction_id") === ""
    ? say`${who} added a note to ${subject}`
    : say`${who} added a note to ${toTransaction(teller, "a transaction", "transaction_id")} of ${subject}`;
}

const SIMULATED: Readonly<Record<Simulation, string>> = {
  deduct: "a purchase",
  "deduct-reversal": "a refund",
  authorize: "an authorization",
  advice: "an approval by the card network",
  verification: "a verification",
  increment: "an increment",
  capture: "a capture",
  posting: "a purchase without authorization",
  reversal: "a reversal",
  expire: "an expiry",
  refund: "a refund",
  "take-back": "a cancellation",
};

function tellSimulation(teller: Teller): Sentence {
  const { who, subject } = teller;
  const type = SIMULATIONS.find((each) => each === teller.text("type"));
  const transaction = toTransaction(teller, type && SIMULATED[type]);
  return say`${who} simulated ${transaction} on ${subject}${toOutcome(teller)}`;
}

function toOutcome(teller: Teller): string {
  if (teller.text("status") !== "declined") {
    return "";
  }
  return teller.text("decline_with") === "" ? ", which was declined" : ", with a forced decline";
}
