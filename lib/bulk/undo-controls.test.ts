import { sql } from "drizzle-orm";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { call } from "#test/scene/api-client.ts";
import { newCard, newIntegrator, reading } from "#test/scene/fixtures.ts";
import { anyControls } from "#test/limits/limits-steps.ts";
import { runBulkJobs } from "#lib/bulk/bulk-runner.ts";
import { toOwnControls } from "#lib/cards/spending-controls.ts";
import { getCard } from "#lib/cards/card-reads.ts";
import { database } from "#db/client.ts";

const CARDS = 3;
const RUNS = 30;

const cardAt = fc.nat(CARDS - 1);
/** Few, so that a card often has what it gets. */
const controls = fc.option(anyControls, { freq: 3 });

const story = fc.array(controls, { minLength: 3, maxLength: 3 }).chain((few) => {
  const one = fc.constantFrom(...few);
  return fc.record({
    cards: fc.array(one, { minLength: CARDS, maxLength: CARDS }),
    set: one,
    items: fc.array(cardAt, { minLength: 1, maxLength: 5 }),
    since: fc.array(fc.record({ card: cardAt, set: one }), { maxLength: 2 }),
    closed: fc.option(cardAt),
  });
});
type Story = typeof story extends fc.Arbitrary<infer T> ? T : never;

interface Reply {
  data: Record<string, unknown> & { id: string; [Symbol.iterator](): Iterator<unknown> };
}

const isSame = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other);

async function live({ cards, set, items, since, closed }: Story): Promise<void> {
  const integrator = await newIntegrator(0);
  const ids: string[] = [];
  for (let at = 0; at < CARDS; at += 1) {
    ids.push((await newCard(integrator)).id);
  }
  const send = async (line: string, body?: object) => {
    const { status, json } = await call(line, { key: integrator.apiKey, body });
    expect([status, json]).toEqual([expect.toSatisfy((each) => each < 300), expect.anything()]);
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- each request is one that is answered so.
    return json as Reply;
  };
  const limit = (card: number, spending_controls: object | null) =>
    send(`PATCH /cards/${ids[card]}/spending-controls`, { spending_controls });
  const read = async () => {
    const cardsNow = ids.map((id) => getCard(reading(integrator), id));
    return (await Promise.all(cardsNow)).map(toOwnControls);
  };
  const run = async (body: object) => {
    const { data } = await send("POST /bulk", { operation: "set_spending_controls", ...body });
    await runBulkJobs(database());
    const { data: results } = await send(`GET /bulk/${data.id}/results?limit=100`);
    return { id: data.id, results: [...results] };
  };
  for (const [card, own] of cards.entries()) {
    await limit(card, own);
  }
  const before = await read();
  const named = items.map((card) => ({ card_id: ids[card] }));
  const job = await run({ spending_controls: set, items: named });
  const after = await read();
  for (const change of since) {
    await limit(change.card, change.set);
  }
  const now = await read();
  if (closed !== null) {
    await send(`POST /cards/${ids[closed]}/close`, {});
  }

  const expected = ids.flatMap((card_id, at) => {
    if (isSame(before[at], after[at])) {
      return [];
    }
    const isBack = isSame(now[at], before[at]);
    if (!isBack && !isSame(now[at], after[at])) {
      return { at, card_id, left: now[at], state: "refused", code: "precondition_failed" };
    }
    if (isBack) {
      return { at, card_id, left: now[at], state: "unchanged", code: null };
    }
    return at === closed
      ? { at, card_id, left: now[at], state: "refused", code: "card_closed" }
      : { at, card_id, left: before[at], state: "done", code: null };
  });
  const told = expected.map(({ card_id, state, code }) =>
    expect.objectContaining({ card_id, state, code }),
  );
  const checked = await run({ changed_by: job.id, check: true });
  expect(await read()).toEqual(now);
  const undone = await run({ changed_by: job.id });
  expect(undone.results).toEqual(expect.arrayContaining(told));
  expect(undone.results).toHaveLength(told.length);
  expect(checked.results).toEqual(undone.results);
  expect(await read()).toEqual(
    now.map((own, at) => {
      const found = expected.find((each) => each.at === at);
      return found ? found.left : own;
    }),
  );
  // The undo is a job itself, so it can be undone.
  await run({ changed_by: undone.id });
  expect(await read()).toEqual(now);
}

test("an undo gives each card back exactly the spending controls that a job has replaced", async () => {
  let lives = 0;
  await fc.assert(
    fc.asyncProperty(story, async (told) => {
      await live(told);
      lives += 1;
    }),
    { numRuns: RUNS, interruptAfterTimeLimit: 100_000, markInterruptAsFailure: true },
  );
  expect(lives).toBe(RUNS);
}, 200_000);

test("an item cannot end while it keeps its inverse, so that a release that knows none leaves it waiting", async () => {
  const integrator = await newIntegrator(0);
  const card = await newCard(integrator);
  const body = {
    operation: "set_spending_controls",
    spending_controls: {},
    items: [{ card_id: card.id }],
  };
  await call("POST /bulk", { key: integrator.apiKey, body });
  await runBulkJobs(database());
  await expect(
    database().execute(sql`
      update bulk_items set restores_controls = replaced_controls where integrator_id = ${integrator.id} and state = 'done'`),
  ).rejects.toMatchObject({ cause: { constraint_name: "bulk_items_restores_controls" } });
});
