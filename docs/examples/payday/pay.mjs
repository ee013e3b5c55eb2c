import { readFileSync } from "node:fs";
import { FloatdeckError } from "floatdeck";
import { floatdeck } from "./floatdeck.mjs";
import { all, one, run, transaction } from "./store.mjs";

/** Refusals that have moved nothing and that somebody can act upon. After any other error, the outcome is open. */
const REFUSALS = new Set([
  "insufficient_float",
  "card_closed",
  "card_expired",
  "balance_limit_exceeded",
]);

/** The payments of a file. A file that is read again must say the same. */
function readPayments(file) {
  const { payday, payments } = JSON.parse(readFileSync(file, "utf8"));
  transaction(() => {
    for (const { employee, amount } of payments) {
      run(
        "insert into payments (payday, employee, amount) values (?, ?, ?) on conflict do nothing",
        payday,
        employee,
        amount,
      );
      const stored = one(
        "select amount from payments where payday = ? and employee = ?",
        payday,
        employee,
      );
      if (stored.amount !== amount) {
        throw new Error(`${employee} was to get ${stored.amount} on ${payday}, not ${amount}.`);
      }
    }
  });
  return payday;
}

/** Pays once, however often it is called: the key stays the same until the outcome is known. */
async function pay(payment) {
  const { payday, employee, amount, attempt, card_id } = payment;
  try {
    await floatdeck.cards.credit(
      { card_id, amount, narrative: `Payday ${payday}` },
      { idempotencyKey: `payday/${payday}/${employee}/${attempt}` },
    );
    settle(payment, "paid");
  } catch (error) {
    if (!(error instanceof FloatdeckError) || !REFUSALS.has(error.code)) {
      throw error;
    }
    settle(payment, "refused", error.code);
  }
}

/** The outcome of an attempt. That of an earlier one, which another run has repeated meanwhile, counts no more. */
function settle({ payday, employee, attempt }, state, refusal = null) {
  run(
    "update payments set state = ?, refusal = ? where payday = ? and employee = ? and attempt = ?",
    state,
    refusal,
    payday,
    employee,
    attempt,
  );
}

const payday = readPayments(process.argv[2] ?? "payday.json");

// A refusal is final: its key is used up, and the next attempt is a new request. An open payment keeps its key.
run(
  "update payments set attempt = attempt + 1, state = 'open' where payday = ? and state = 'refused'",
  payday,
);
const open = all(
  "select * from payments left join employees using (employee) where payday = ? and state = 'open' order by employee",
  payday,
);
for (const payment of open) {
  if (payment.card_id === null) {
    throw new Error(
      `${payment.employee} has no card yet. Add them to employees.json, and start the app.`,
    );
  }
  await pay(payment);
}
const payments = all("select * from payments where payday = ? order by employee", payday);
for (const { employee, amount, state, refusal } of payments) {
  console.log(employee, amount, state, refusal ?? "");
}
process.exitCode = payments.every(({ state }) => state === "paid") ? 0 : 1;
