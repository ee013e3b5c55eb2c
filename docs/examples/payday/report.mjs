import { randomUUID } from "node:crypto";
import { FloatdeckError } from "floatdeck";
import { floatdeck } from "./floatdeck.mjs";
import { all, one, run } from "./store.mjs";

/** Whoever reports a loss waits no longer than this. What is not done by then is tried again in the background. */
const DEADLINE_MS = 5_000;

/** Stores that an employee has lost the card, before anything else can fail. @returns the report's id, if there is a card. */
export function report(employee) {
  if (!one("select 1 from employees where employee = ?", employee)) {
    return undefined;
  }
  const id = randomUUID();
  run("insert into reports (id, employee) values (?, ?)", id, employee);
  return id;
}

export function stateOf(id) {
  return one("select state from reports where id = ?", id)?.state;
}

/** Freezes the card of each open report. One that fails stays open, and holds up no other. */
export async function finishReports() {
  const open = all(
    "select id, card_id from reports join employees using (employee) where state = 'open'",
  );
  await Promise.all(open.map(finish));
}

async function finish({ id, card_id }) {
  try {
    run("update reports set state = ? where id = ?", await freeze(card_id, id), id);
  } catch (error) {
    console.error(`The report ${id} stays open: ${error.message}`);
  }
}

async function freeze(cardId, idempotencyKey) {
  try {
    const options = { idempotencyKey, deadlineMs: DEADLINE_MS };
    return (await floatdeck.cards.freeze(cardId, { reason: "lost" }, options)).status;
  } catch (error) {
    if (error instanceof FloatdeckError && error.code === "card_closed") {
      return "closed";
    }
    throw error;
  }
}
