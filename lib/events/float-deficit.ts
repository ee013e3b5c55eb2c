import { z } from "zod";
import { event } from "#lib/events/event.ts";
import { BEYOND_FLOAT } from "#lib/events/internal/calls.ts";
import { deficit } from "#lib/api/contract/float.ts";
import { THE_FLOAT } from "#lib/events/internal/float.ts";
import { floatBalance, money } from "#lib/api/contract/event-members.ts";
import { say } from "#lib/sentences/say.ts";

export const floatDeficit = event({
  name: "float.deficit",
  order: 4,
  when: "The card network posted a purchase that neither its card nor the float could pay in full.",
  data: z.strictObject({
    amount: money.describe("How much was added to the deficit, in minor units."),
    deficit,
    balance: floatBalance,
  }),
  example: { data: { amount: 2_500, deficit: 4_000, balance: 0 } },
  format: (formatter) =>
    say`${THE_FLOAT} could not pay ${formatter.money("amount")} of a purchase; ${formatter.money("deficit")} is owed`,
  trigger: { needs: "card without funds", calls: BEYOND_FLOAT },
});
