import { sql } from "drizzle-orm";
import { beforeEach, describe, expect, test } from "vitest";
import { call } from "#test/scene/api-client.ts";
import { ask, cardId, integrator, openCardAccount } from "#test/scene/card-account.ts";
import { newCard, newIntegrator, newScopedKey } from "#test/scene/fixtures.ts";
import { testDatabase } from "#test/database/database.ts";
import { runBulkJobs } from "#lib/bulk/bulk-runner.ts";
import { database } from "#db/client.ts";

beforeEach(() => openCardAccount(1_000, 100));

interface Job {
  id: string;
  state: string;
  total: number;
  done: number;
  unchanged: number;
  refused: number;
  canceled: number;
  amount: number;
}

/** Makes a job, and does it. */
async function run(body: object): Promise<Job> {
  const { status, json } = await ask("POST /bulk", body);
  expect([status, json]).toEqual([202, expect.anything()]);
  const { id } = (json as { data: Job }).data;
  await runBulkJobs(database());
  return read(id);
}

async function read(id: string): Promise<Job> {
  return ((await ask(`GET /bulk/${id}`)).json as { data: Job }).data;
}

async function resultsOf({ id }: Job, query = ""): Promise<unknown[]> {
  const { json } = await ask(`GET /bulk/${id}/results?limit=100${query}`);
  return (json as { data: { card_id: string; state: string; code: string | null }[] }).data.map(
    ({ card_id, state, code }) => [card_id, state, code],
  );
}

async function cardOf(id: string) {
  return (await ask(`GET /cards/${id}`)).json as {
    status: string;
    status_version: number;
    balance: number;
    card_name: string;
    last4: string;
  };
}

async function newCards(count: number): Promise<string[]> {
  const ids: string[] = [];
  for (let at = 0; at < count; at += 1) {
    ids.push((await newCard(integrator)).id);
  }
  return ids;
}

/** Events appear once every older transaction has ended, also those of other tests. */
async function listEnds(): Promise<unknown> {
  return (await ask("GET /events?event=bulk.completed")).json;
}

const UNKNOWN = "01a1fd1b-0000-7000-8000-000000000000";

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
  expect(text.split("\r\n")).toEqual([
    "card_id,name,last4,amount,currency,state,code,detail",
    expect.stringMatching(
      new RegExp(`^${cardId},${name},${last4},5.00,USD,refused,insufficient_float,`, "u"),
    ),
    expect.stringMatching(new RegExp(`^${UNKNOWN},,,,,refused,card_not_found,`, "u")),
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

test("a job undoes what an earlier one froze, and nothing else", async () => {
  const [amended = "", refrozen = ""] = await newCards(2);
  await ask(`PATCH /cards/${amended}/freeze`, { reason: "inactivity" });
  const items = [cardId, amended, refrozen].map((id) => ({ card_id: id }));
  const frozen = await run({ operation: "freeze", reason: "lost", items });
  expect(frozen).toMatchObject({ done: 3, reason: "lost", level: "cardholder", until: null });
  await ask(`PATCH /cards/${refrozen}/freeze`, { reason: "stolen" });
  const undone = await run({ operation: "unfreeze", level: "cardholder", changed_by: frozen.id });
  expect(await resultsOf(undone)).toEqual([
    [cardId, "done", null],
    [refrozen, "refused", "card_status_changed"],
  ]);
  expect(await cardOf(amended)).toMatchObject({ status: "frozen" });
  const again = await run({ operation: "freeze", changed_by: undone.id });
  expect(await resultsOf(again)).toEqual([[cardId, "done", null]]);
});

test("an item that names a version changes only the status that its caller has seen", async () => {
  const { status_version } = await cardOf(cardId);
  const item = { card_id: cardId, status_version };
  expect(await run({ operation: "freeze", items: [item] })).toMatchObject({ done: 1 });
  const late = await run({ operation: "unfreeze", items: [item] });
  expect(await resultsOf(late)).toEqual([[cardId, "refused", "card_status_changed"]]);
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

describe("is refused:", () => {
  test.each([
    ["neither items nor filter", { operation: "freeze" }, "items"],
    ["both", { operation: "freeze", items: [{}], filter: {} }, "filter"],
    ["another job's cards to be closed", { operation: "close", changed_by: UNKNOWN }, "changed_by"],
    ["no job of ours to undo", { operation: "freeze", changed_by: UNKNOWN }, "changed_by"],
    [
      "a version of a credit",
      { operation: "credit", items: [{ amount: 5, status_version: 1 }] },
      "items.0.status_version",
    ],
    ["a credit by filter", { operation: "credit", filter: {} }, "filter"],
    ["a credit without an amount", { operation: "credit", items: [{}] }, "items.0.amount"],
    ["a credit of all", { operation: "credit", items: [{ amount: "all" }] }, "items.0.amount"],
    ["a freeze of an amount", { operation: "freeze", items: [{ amount: 5 }] }, "items.0.amount"],
    ["a level of a close", { operation: "close", level: "staff", items: [{}] }, "level"],
    ["other without a comment", { operation: "freeze", reason: "other", items: [{}] }, "comment"],
    [
      "all or nothing by filter",
      { operation: "freeze", mode: "all_or_nothing", filter: {} },
      "mode",
    ],
  ])("%s", async (_, asked: object, member) => {
    const { items, ...body }: { items?: object[] } = asked;
    const reply = await ask("POST /bulk", {
      ...body,
      ...(items && { items: items.map((item) => ({ card_id: cardId, ...item })) }),
    });
    expect(reply).toMatchObject({ status: 422, json: { code: "validation_failed" } });
    expect(Object.keys((reply.json as { errors: object }).errors)).toEqual([member]);
  });

  test("what a key may not do to one card", async () => {
    const { key } = await newScopedKey(integrator.id, ["cards:read", "cards:freeze"]);
    const send = (body: object) =>
      call("POST /bulk", { key, body: { items: [{ card_id: cardId }], ...body } });
    expect(await send({ operation: "freeze" })).toMatchObject({ status: 202 });
    expect(await send({ operation: "close" })).toMatchObject({ status: 403 });
    expect(await send({ operation: "freeze", level: "staff" })).toMatchObject({ status: 403 });
    const { id } = await run({ operation: "close", check: true, items: [{ card_id: cardId }] });
    expect(await call(`POST /bulk/${id}/cancel`, { key })).toMatchObject({
      status: 403,
      json: { code: "scope_missing" },
    });
    await ask(`PATCH /cards/${cardId}/freeze`, { level: "staff" });
    const { json } = await send({ operation: "unfreeze" });
    expect(await resultsOf((json as { data: Job }).data)).toEqual([
      [cardId, "refused", "freeze_not_liftable"],
    ]);
  });

  test("a job to be undone that did the same, only checked, or runs", async () => {
    const undo = (operation: string, id: string) =>
      ask("POST /bulk", { operation, changed_by: id });
    const frozen = await run({ operation: "freeze", items: [{ card_id: cardId }] });
    expect(await undo("freeze", frozen.id)).toMatchObject({ status: 422 });
    const checked = await run({ operation: "unfreeze", check: true, items: [{ card_id: cardId }] });
    expect(await undo("freeze", checked.id)).toMatchObject({ status: 422 });
    const { json: made } = await ask("POST /bulk", {
      operation: "freeze",
      items: (await newCards(65)).map((id) => ({ card_id: id })),
    });
    const running = (made as { data: Job }).data;
    expect(await undo("unfreeze", running.id)).toMatchObject({ status: 422 });
  });

  test("another account's job", async () => {
    const { id } = await run({ operation: "freeze", items: [{ card_id: cardId }] });
    const { apiKey: key } = await newIntegrator();
    const file = `GET /exports/bulk-results/${id}`;
    expect(await call(file, { key })).toMatchObject({ status: 404 });
    const body = { operation: "unfreeze", changed_by: id };
    expect(await call("POST /bulk", { key, body })).toMatchObject({ status: 422 });
    for (const line of [`GET /bulk/${id}`, `GET /bulk/${id}/results`, `POST /bulk/${id}/cancel`]) {
      expect(await call(line, { key })).toMatchObject({ json: { code: "bulk_job_not_found" } });
    }
  });
});
