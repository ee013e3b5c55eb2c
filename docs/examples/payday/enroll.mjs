import { readFileSync } from "node:fs";
import { floatdeck } from "./floatdeck.mjs";
import { one, run } from "./store.mjs";

/** Gives each employee of `employees.json` a card. May be repeated, and killed at any time: the keys stay the same. */
export async function enroll() {
  for (const person of JSON.parse(readFileSync("employees.json", "utf8"))) {
    if (!one("select 1 from employees where employee = ?", person.employee)) {
      const cardId = await createCard(person);
      run("insert into employees values (?, ?)", person.employee, cardId);
      console.log(`${person.employee} has card ${cardId}.`);
    }
  }
}

async function createCard({ employee, ...person }) {
  const { data: account } = await floatdeck.account.get();
  const { currency } = await floatdeck.float.get();
  const { data: user } = await floatdeck.users.register(account.id, person, {
    idempotencyKey: `payday/cardholder/${employee}`,
  });
  const { data: card } = await floatdeck.cards.createVirtual(
    {
      user_id: user.id,
      currency,
      design_type: "midnight",
      single_use: false,
      validity: 1_095,
      metadata: { employee },
    },
    { idempotencyKey: `payday/card/${employee}` },
  );
  return card.id;
}
