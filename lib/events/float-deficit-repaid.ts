import { z } from "zod";
import { event } from "#lib/events/event.ts";
import { AMOUNT, BEYOND_FLOAT } from "#lib/events/internal/calls.ts";
import { deficit } from "#lib/api/contract/float.ts";
import { THE_FLOAT } from "#lib/events/internal/float.ts";
import { floatBalance, money } from "#lib/api/contract/event-members.ts";
import { say } from "#lib/sentences/say.ts";

export const floatDeficitRepaid = event({
  name: "float.deficit-repaid",
  order: 5,
  when: "The float received funds and repaid its deficit, in full or in part.",
  data: z.strictObject({
    amount: money.describe("How much of the deficit was repaid, in minor units."),
    deficit,
    balance: floatBalance,
  }),
  example: { data: { amount: 4_000, deficit: 0, balance: 6_000 } },
  format: (formatter) =>
    formatter.after["deficit"] === 0
      ? say`${THE_FLOAT} repaid ${formatter.money("amount")}; nothing is owed any longer`
      : say`${THE_FLOAT} repaid ${formatter.money("amount")}; ${formatter.money("deficit")} is still owed`,
  trigger: {
    needs: "card without funds",
    calls: [...BEYOND_FLOAT, ["float.topUp", { amount: AMOUNT }]],
  },
});
