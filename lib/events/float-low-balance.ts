import { event } from "#lib/events/event.ts";
import { AMOUNT } from "#lib/events/internal/calls.ts";
import { FLOAT_LEVEL, THE_FLOAT } from "#lib/events/internal/float.ts";
import { say } from "#lib/sentences/say.ts";

export const floatLowBalance = event({
  name: "float.low-balance",
  order: 2,
  when: "The float is below the account's threshold.",
  data: FLOAT_LEVEL,
  example: { data: { balance: 90_000, threshold: 100_000 } },
  format: (formatter) =>
    say`${THE_FLOAT} is at ${formatter.money("balance")}, below the threshold of ${formatter.money("threshold")}`,
  trigger: {
    needs: "float at its threshold",
    calls: [["cards.credit", { card_id: "$card", amount: AMOUNT }]],
  },
});
