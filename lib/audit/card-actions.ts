import type { DeclaredActions } from "#lib/audit/action.ts";
import { toLevelName } from "#lib/cards/card-state.ts";
import { say } from "#lib/sentences/say.ts";
import type { Sentence } from "#lib/sentences/say.ts";
import type { EventFormatter } from "#lib/sentences/event-formatter.ts";
import { SIMULATIONS } from "#lib/transactions/transaction-kinds.ts";
import type { Simulation } from "#lib/transactions/transaction-kinds.ts";

export const CARD_ACTIONS: DeclaredActions = {
  "card.fact-matched": {
    title: "Card network report matched",
    format: (formatter) =>
      say`${formatter.who} matched ${toTransaction(formatter)} that the card network had reported to ${formatter.subject}`,
  },
  "card.freeze-lifted": {
    title: "Freeze lifted",
    format: (formatter) =>
      say`${formatter.who} lifted the ${toLevelName(formatter.text("level"))} freeze of ${formatter.subject}, which stays frozen`,
  },
  "card.noted": { title: "Note added", format: formatNote },
  "card.replaced": {
    title: "Card replaced",
    format: (formatter) =>
      say`${formatter.who} replaced ${formatter.subject} with ${formatter.record({ type: "card", id: formatter.text("replaced_by") })}`,
  },
  "card.transaction-simulated": { title: "Transaction simulated", format: formatSimulation },
};

function toTransaction(formatter: EventFormatter, text = "a transaction", id = "reference") {
  return { text, href: `/transactions/${formatter.text(id)}` };
}

function formatNote(formatter: EventFormatter): Sentence {
  const { who, subject } = formatter;
  return formatter.text("transaction_id") === ""
    ? say`${who} added a note to ${subject}`
    : say`${who} added a note to ${toTransaction(formatter, "a transaction", "transaction_id")} of ${subject}`;
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

function formatSimulation(formatter: EventFormatter): Sentence {
  const { who, subject } = formatter;
  const type = SIMULATIONS.find((each) => each === formatter.text("type"));
  const transaction = toTransaction(formatter, type && SIMULATED[type]);
  return say`${who} simulated ${transaction} on ${subject}${toOutcome(formatter)}`;
}

function toOutcome(formatter: EventFormatter): string {
  if (formatter.text("status") !== "declined") {
    return "";
  }
  return formatter.text("decline_with") === "" ? ", which was declined" : ", with a forced decline";
}
