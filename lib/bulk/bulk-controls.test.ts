import { sql } from "drizzle-orm";
import { beforeEach, expect, test } from "vitest";
import { cardOf, newCards, resultsOf, run, UNKNOWN } from "#test/scene/bulk-account.ts";
import { ask, cardId, integrator, openCardAccount } from "#test/scene/card-account.ts";
import { database } from "#db/client.ts";

beforeEach(() => openCardAccount(1_000, 100));

async function listed(path: string): Promise<unknown[]> {
  return ((await ask(path)).json as { data: unknown[] }).data;
}

test("spending controls of many cards are set once each, with their events and rows of the audit log", async () => {
  const [other = "", closed = ""] = await newCards(2);
  await ask(`POST /cards/${closed}/close`, {});
  const spending_controls = { spending_limits: [{ amount: 500, interval: "monthly" }] };
  const items = [cardId, other, cardId, closed, UNKNOWN].map((id) => ({ card_id: id }));
  const job = await run({ operation: "set_spending_controls", spending_controls, items });
  expect(job).toMatchObject({
    done: 2,
    unchanged: 1,
    refused: 2,
    spending_controls: { spending_limits: [{ amount: 500, categories: null }] },
  });
  expect(await resultsOf(job)).toEqual([
    [cardId, "done", null],
    [other, "done", null],
    [cardId, "unchanged", null],
    [closed, "refused", "card_closed"],
    [UNKNOWN, "refused", "card_not_found"],
  ]);
  expect(await cardOf(other)).toMatchObject({
    spending_controls_source: "card",
    spending_controls: { spending_limits: [{ amount: 500, used: 0 }] },
  });
  await expect.poll(() => listed("GET /events?event=card.updated")).toHaveLength(2);
  const rows = await database().execute(
    sql`select target_id from audit_log where integrator_id = ${integrator.id} and action = 'card.updated' order by id`,
  );
  expect(rows.map((row) => row["target_id"])).toEqual([cardId, other]);
  const back = await run({
    operation: "set_spending_controls",
    spending_controls: null,
    items: [{ card_id: other }],
  });
  expect(back).toMatchObject({ done: 1, spending_controls: null });
  expect(await cardOf(other)).toMatchObject({ spending_controls_source: "none" });
});
