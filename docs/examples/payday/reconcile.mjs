import { isDeepStrictEqual } from "node:util";
import { floatdeck } from "./floatdeck.mjs";
import { take } from "./receive.mjs";
import { all, find, run } from "./store.mjs";

const NARRATIVE = "Payday ";

/** Takes what `GET /events` lists and no webhook has brought. @returns how many events these were. */
async function readFeed() {
  let taken = 0;
  for (;;) {
    const after = find("cursor");
    const start = after ? { after } : { created_at: find("since") };
    const { data, next_cursor } = await floatdeck.events.list({ ...start, limit: 100 });
    taken += data.filter((event) => take(event)).length;
    if (data.length === 0) {
      return taken;
    }
    run("insert or replace into kept values ('cursor', ?)", next_cursor);
  }
}

/** Compares the payments of the period's paydays with the lines of the float's statement. */
async function comparePayments(period) {
  const posted = new Map();
  for await (const line of floatdeck.float.getStatement({ ...period, limit: 100 })) {
    const payday = line.narrative?.startsWith(NARRATIVE) && line.narrative.slice(NARRATIVE.length);
    if (payday && payday >= period.from && payday <= period.to) {
      const name = `${payday}, card ${line.card_id}`;
      posted.set(name, [...(posted.get(name) ?? []), -line.net]);
    }
  }
  const paid = all(
    "select payday, card_id, amount from payments join employees using (employee) where state = 'paid' and payday between ? and ?",
    period.from,
    period.to,
  );
  const booked = new Map(
    paid.map(({ payday, card_id, amount }) => [`${payday}, card ${card_id}`, [amount]]),
  );
  const names = new Set([...posted.keys(), ...booked.keys()]);
  return [...names].flatMap((name) => differ(name, booked.get(name), posted.get(name)));
}

/** Compares the balance that each card's last event reported with the card's statement. */
async function compareBalances() {
  const differences = [];
  for (const { card_id, balance } of all("select card_id, balance from cards")) {
    const { statement } = await floatdeck.cards.getStatement(card_id, { limit: 1 });
    differences.push(...differ(`Balance of card ${card_id}`, balance, statement.closing_balance));
  }
  return differences;
}

function differ(name, ours = "nothing", theirs = "nothing") {
  return isDeepStrictEqual(ours, theirs) ? [] : [`${name}: ${ours} here, ${theirs} there`];
}

const [from, to] = process.argv.slice(2);
console.log(`${await readFeed()} events had not arrived.`);
const differences = [...(await comparePayments({ from, to })), ...(await compareBalances())];
console.log(differences.join("\n") || "No difference.");
process.exitCode = differences.length > 0 ? 1 : 0;
