import { z } from "zod";
import { FLOAT } from "#lib/api/contract/float.ts";
import { event } from "#lib/events/event.ts";
import { AMOUNT } from "#lib/events/internal/calls.ts";
import { floatBalance, money } from "#lib/api/contract/event-members.ts";
import { threshold } from "#lib/events/internal/float.ts";
import { say } from "#lib/sentences/say.ts";

export const floatToppedUp = event({
  name: "float.topped-up",
  order: 1,
  when: "Funds were added to the float.",
  data: z.strictObject({
    amount: money.describe("How much arrived, in minor units."),
    balance: floatBalance,
    threshold,
  }),
  example: { data: { amount: 1_000_000, balance: FLOAT.balance, threshold: 100_000 } },
  actions: { "float.topped-up": "Float topped up" },
  format: (formatter) =>
    say`${formatter.who} topped up ${formatter.subject} with ${formatter.money("amount")}`,
  trigger: { calls: [["float.topUp", { amount: AMOUNT }]] },
});
