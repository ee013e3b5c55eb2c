import { z } from "zod";

export const id = z.uuid();
export const money = z.int();

export const transactionReference = id.describe("The id of the transaction.");
export const cardBalanceAfter = money.describe(
  "The card's balance right after the event, in minor units, holds included.",
);
export const coverOutstanding = money.describe(
  "What float and deficit covered of the card's purchases and has not been given back, in minor units.",
);
export const floatBalance = money.describe("The float's balance right after, in minor units.");
