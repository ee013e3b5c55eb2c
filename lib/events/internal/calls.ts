import type { Call } from "#lib/events/event.ts";

/** The amount that triggers move, in minor units. */
export const AMOUNT = 1_00;

/** Gives a card something to spend. */
export const FUND_CARD: readonly Call[] = [
  ["float.topUp", { amount: AMOUNT }],
  ["cards.credit", { card_id: "$card", amount: AMOUNT }],
];

/** Posts a purchase that neither the card nor the float can pay. */
export const BEYOND_FLOAT: readonly Call[] = [
  ["transactions.mock", "$card", { type: "posting", amount: "$beyond" }],
];
