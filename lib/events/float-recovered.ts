import { event } from "#lib/events/event.ts";
import { AMOUNT } from "#lib/events/internal/calls.ts";
import { FLOAT_LEVEL, THE_FLOAT } from "#lib/events/internal/float.ts";
import { say } from "#lib/sentences/say.ts";

export const floatRecovered = event({
  name: "float.recovered",
  order: 3,
  when: "The float is back at or above the account's threshold.",
  data: FLOAT_LEVEL,
  example: { data: { balance: 500_000, threshold: 100_000 } },
  format: (formatter) =>
    formatter.after["threshold"] === null
      ? say`${THE_FLOAT} is at ${formatter.money("balance")} and no longer has a threshold`
      : say`${THE_FLOAT} is at ${formatter.money("balance")}, no longer below the threshold of ${formatter.money("threshold")}`,
  trigger: {
    needs: "float at its threshold",
    calls: [
      ["cards.credit", { card_id: "$card", amount: AMOUNT }],
      ["float.topUp", { amount: 2 * AMOUNT }],
    ],
  },
});
