import { sql } from "drizzle-orm";
import { beforeEach, expect, test } from "vitest";
import { cardOf, newCards, read, resultsOf, run, UNKNOWN } from "#test/scene/bulk-account.ts";
import type { Job } from "#test/scene/bulk-account.ts";
import { ask, cardId, integrator, openCardAccount } from "#test/scene/card-account.ts";
import { testDatabase } from "#test/database/database.ts";
import { runBulkJobs } from "#lib/bulk/bulk-runner.ts";
import { database } from "#db/client.ts";

beforeEach(() => openCardAccount(1_000, 100));

/** Events appear once every older transaction has ended, also those of other tests. */
async function listEnds(): Promise<unknown> {
  return (await ask("GET /events?event=bulk.completed")).json;
}

test("cards are frozen and unfrozen, each with its own result, in order", async () => {
  const [other = "", closed = ""] = await newCards(2);
  await ask(`POST /cards/${closed}/close`, {});
  const items = [cardId, closed, UNKNOWN, other].map((id) => ({ card_id: id }));
  const frozen = await run({ operation: "freeze", reason: "lost", comment: "Stolen bag", items });
  expect(frozen).toMatchObject({ state: "completed", total: 4, done: 2, refused: 2 });
  expect(await resultsOf(frozen)).toEqual([
    [cardId, "done", null],
    [closed, "refused", "card_closed"],
    [UNKNOWN, "refused", "card_not_found"],
    [other, "done", null],
  ]);
  expect(await resultsOf(frozen, "&state=refused")).toHaveLength(2);
  expect((await ask(`GET /cards/${cardId}`)).json).toMatchObject({
    status: "frozen",
    freeze: { reason: "lost", comment: "Stolen bag", level: "cardholder" },
  });
  const again = await run({ operation: "freeze", items: items.slice(0, 1) });
  expect(again).toMatchObject({ done: 0, unchanged: 1 });
  const lifted = await run({ operation: "unfreeze", filter: { status: "frozen" } });
  expect(lifted).toMatchObject({ total: 2, done: 2 });
});

test("the event says how the job ended, and whose it was", async () => {
  const job = await run({ operation: "freeze", items: [{ card_id: cardId }] });
  await expect.poll(listEnds).toMatchObject({
    data: [
      {
        actor: { name: "First key" },
        data: { id: job.id, operation: "freeze", state: "completed", total: 1, done: 1 },
      },
    ],
  });
});

test("credits stop at the float, debits take what is there, and the amounts are counted", async () => {
  const [other = ""] = await newCards(1);
  const credited = await run({
    operation: "credit",
    items: [
      { card_id: cardId, amount: 600, narrative: "Bonus" },
      { card_id: other, amount: 500 },
      { card_id: other, amount: 300 },
    ],
  });
  expect(credited).toMatchObject({ done: 2, refused: 1, amount: 900 });
  expect(await resultsOf(credited, "&state=refused")).toEqual([
    [other, "refused", "insufficient_float"],
  ]);
  const debited = await run({ operation: "debit", filter: {} });
  expect(debited).toMatchObject({ total: 2, done: 2, amount: 1_000 });
  expect(await cardOf(cardId)).toMatchObject({ balance: 0 });
});

test("the file of what was refused has the cards, their amounts, and the reasons", async () => {
  const { id } = await run({
    operation: "credit",
    items: [
      { card_id: cardId, amount: 600 },
      { card_id: cardId, amount: 500 },
      { card_id: UNKNOWN, amount: 1 },
    ],
  });
  const { text } = await ask(`GET /exports/bulk-results/${id}?state=refused`);
  const { card_name: name, last4 } = await cardOf(cardId);
  expect(text.replace(/^\uFEFF/u, "").split("\r\n")).toEqual([
    "card_id,name,last4,amount,currency,state,code,detail,level",
    expect.stringMatching(
      new RegExp(`^${cardId},${name},"=""${last4}""",5.00,USD,refused,insufficient_float,`, "u"),
    ),
    expect.stringMatching(new RegExp(`^${UNKNOWN},,,0.01,USD,refused,card_not_found,`, "u")),
    "",
  ]);
});

test("a filter that no card matches makes a job that has ended", async () => {
  const { json } = await ask("POST /bulk", {
    operation: "freeze",
    comment: "Nobody",
    filter: { status: "closed" },
  });
  expect(json).toMatchObject({
    data: { state: "completed", total: 0, ended_at: expect.anything() },
  });
  await expect.poll(listEnds).toMatchObject({ data: [{}] });
});

test("closing returns what is on each card to the float", async () => {
  const job = await run({ operation: "close", items: [{ card_id: cardId }, { card_id: cardId }] });
  expect(job).toMatchObject({ done: 1, refused: 1, amount: 100 });
  expect(await cardOf(cardId)).toMatchObject({ status: "closed", balance: 0 });
});

test.each([
  ["credit", [{ amount: 700 }, { amount: 700 }]],
  ["freeze", [{}, { card_id: UNKNOWN }]],
  ["close", [{}, {}]],
])("all or nothing: one refused %s undoes the others", async (operation, items) => {
  const job = await run({
    operation,
    mode: "all_or_nothing",
    items: items.map((item) => ({ card_id: cardId, ...item })),
  });
  expect(job).toMatchObject({ state: "completed", done: 0, refused: 1, canceled: 1, amount: 0 });
  expect(await cardOf(cardId)).toMatchObject({ status: "active", balance: 100 });
});

test("all or nothing: all of them", async () => {
  const [other = ""] = await newCards(1);
  const items = [cardId, other].map((id) => ({ card_id: id, amount: 450 }));
  const job = await run({ operation: "credit", mode: "all_or_nothing", items });
  expect(job).toMatchObject({ done: 2, amount: 900 });
});

test("a check says what would be refused, and changes nothing", async () => {
  const cards = await newCards(70);
  const items = cards.map((id) => ({ card_id: id, amount: 15 }));
  const job = await run({ operation: "credit", check: true, items });
  expect(job).toMatchObject({ check: true, done: 60, refused: 10, amount: 900 });
  expect((await ask("GET /card-integrators/float")).json).toMatchObject({
    balance: 900,
  });
  const closing = await run({ operation: "close", check: true, items: [{ card_id: cardId }] });
  expect(closing).toMatchObject({ done: 1, amount: 100 });
  expect(await cardOf(cardId)).toMatchObject({ status: "active", balance: 100 });
});

test("a check that a process has not completed is decided from the first item again", async () => {
  const { json } = await ask("POST /bulk", {
    operation: "debit",
    check: true,
    items: Array.from({ length: 300 }, () => ({ card_id: cardId, amount: 1 })),
  });
  const { id } = (json as { data: Job }).data;
  const { db } = testDatabase();
  // As the process has left it: the card has nothing after the first 100.
  await db.execute(sql`
    update bulk_items set state = case when position < 100 then 'done' else 'refused' end
    where integrator_id = ${integrator.id} and job_id = ${id} and position < 256`);
  await db.execute(sql`
    update bulk_jobs set done = 100, refused = 156, amount = 100
    where integrator_id = ${integrator.id} and id = ${id}`);
  await Promise.all(Array.from({ length: 3 }, () => runBulkJobs(database())));
  expect(await read(id)).toMatchObject({
    state: "completed",
    done: 100,
    refused: 200,
    amount: 100,
  });
});

test("a job undoes what an earlier one froze, and nothing else", async () => {
  const [amended = "", refrozen = ""] = await newCards(2);
  await ask(`PATCH /cards/${amended}/freeze`, { reason: "inactivity" });
  const items = [cardId, amended, refrozen].map((id) => ({ card_id: id }));
  const frozen = await run({ operation: "freeze", reason: "lost", items });
  expect(frozen).toMatchObject({ done: 3, reason: "lost", level: "cardholder", until: null });
  await ask(`PATCH /cards/${refrozen}/freeze`, { reason: "stolen" });
  const undone = await run({ operation: "unfreeze", changed_by: frozen.id });
  expect(undone).toMatchObject({ changed_by: frozen.id, reason: null, level: null, until: null });
  expect(await resultsOf(undone)).toEqual([
    [refrozen, "refused", "card_status_changed"],
    [amended, "done", null],
    [cardId, "done", null],
  ]);
  expect(await cardOf(amended)).toMatchObject({
    status: "frozen",
    freezes: [{ reason: "inactivity" }],
  });
  const again = await run({ operation: "freeze", changed_by: undone.id });
  expect(await resultsOf(again)).toEqual([
    [cardId, "done", null],
    [amended, "done", null],
  ]);
  expect(await cardOf(amended)).toMatchObject({ freezes: [{ reason: "lost" }] });
});

test("an undo leaves the freezes that stood before the job, and puts back each that it lifted", async () => {
  await ask(`PATCH /cards/${cardId}/freeze`, { level: "staff", reason: "stolen" });
  await ask(`PATCH /cards/${cardId}/freeze`, { level: "compliance", comment: "Case 7" });
  const items = [{ card_id: cardId }];
  const { json: before } = await ask(`GET /cards/${cardId}`);
  const { freezes } = before as { freezes: unknown };
  const frozen = await run({ operation: "freeze", reason: "lost", items });
  await run({ operation: "unfreeze", changed_by: frozen.id });
  expect(await cardOf(cardId)).toMatchObject({ status: "frozen", freezes });
  const lifted = await run({ operation: "unfreeze", items });
  expect(await cardOf(cardId)).toMatchObject({ status: "active" });
  const undone = await run({ operation: "freeze", changed_by: lifted.id, comment: "By mistake" });
  expect(undone).toMatchObject({ total: 2, done: 2 });
  expect(await cardOf(cardId)).toMatchObject({ status: "frozen", freezes });
});

test("an item that names a version changes only the status that its caller has seen", async () => {
  const { status_version } = await cardOf(cardId);
  const item = { card_id: cardId, status_version };
  expect(await run({ operation: "freeze", items: [item] })).toMatchObject({ done: 1 });
  for (const version of [status_version, Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER]) {
    const late = await run({
      operation: "unfreeze",
      items: [{ card_id: cardId, status_version: version }],
    });
    expect(await resultsOf(late)).toEqual([[cardId, "refused", "card_status_changed"]]);
  }
});

test("a canceled job keeps what it has done, and tries nothing else", async () => {
  const cards = await newCards(65);
  const { json } = await ask("POST /bulk", {
    operation: "freeze",
    items: cards.map((id) => ({ card_id: id })),
  });
  const { id } = (json as { data: Job }).data;
  // The first batch is done before the answer.
  expect((await ask(`POST /bulk/${id}/cancel`)).json).toMatchObject({
    data: { state: "canceled", done: 64, canceled: 1 },
  });
  await runBulkJobs(database());
  expect(await read(id)).toMatchObject({ state: "canceled", done: 64, canceled: 1 });
  expect((await ask(`POST /bulk/${id}/cancel`)).status).toBe(200);
  expect((await ask("GET /bulk")).json).toMatchObject({ data: [{ id }] });
});

test("any number of processes do each item once", async () => {
  const cards = await newCards(200);
  const { json } = await ask("POST /bulk", {
    operation: "credit",
    items: cards.map((id) => ({ card_id: id, amount: 4 })),
  });
  await Promise.all(Array.from({ length: 5 }, () => runBulkJobs(database())));
  const job = await read((json as { data: Job }).data.id);
  expect(job).toMatchObject({ state: "completed", done: 200, amount: 800 });
  const { json: floatNow } = await ask("GET /card-integrators/float");
  expect(floatNow).toMatchObject({ balance: 100 });
});

function setTarget(seconds: number | null) {
  return testDatabase().db.execute(sql`
    update integrators set clock_since = ${seconds === null ? null : sql`now()`}, clock_target_s = ${seconds}
    where id = ${integrator.id}`);
}

test("while the clock advances, items wait", async () => {
  await setTarget(60);
  const waiting = await run({ operation: "freeze", items: [{ card_id: cardId }] });
  expect(waiting).toMatchObject({ state: "running", done: 0, refused: 0 });
  await setTarget(null);
  await runBulkJobs(database());
  expect(await read(waiting.id)).toMatchObject({ state: "completed", done: 1 });
});
