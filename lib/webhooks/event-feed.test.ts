import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { call } from "#test/scene/api-client.ts";
import { testDatabase } from "#test/database/database.ts";
import { newCard, newIntegrator } from "#test/scene/fixtures.ts";
import { START_MARGIN_MS } from "#lib/webhooks/event-reads.ts";
import { timeLimit } from "#db/time-limits.ts";

interface Feed {
  data: { id: string; event: string; created_at: string; subject: { id: string } }[];
  next_cursor: string;
}

async function readFeed(key: string, query: string): Promise<Feed> {
  const reply = await call(`GET /events?${query}`, { key });
  expect(reply).toMatchObject({ status: 200 });
  return reply.json as Feed;
}

const namesIn = ({ data }: Feed) => data.map(({ event }) => event);

test("after=now lists nothing that happened before, and its cursor everything that happens later", async () => {
  const mine = await newIntegrator(1_000);
  const card = await newCard(mine, 100);
  // An event is listed once no older transaction of the cluster can precede it, which other tests may hold open.
  await expect
    .poll(async () => namesIn(await readFeed(mine.apiKey, "limit=100")))
    .toContain("card.credited");
  const now = await readFeed(mine.apiKey, "after=now");
  expect(namesIn(now)).toEqual([]);
  const { next_cursor: cursor } = now;
  await call(`PATCH /cards/${card.id}/freeze`, { key: mine.apiKey });
  const feed = await readFeed(mine.apiKey, `after=${cursor}&wait=20`);
  expect(feed.data).toMatchObject([{ event: "card.frozen", subject: { id: card.id } }]);
  expect(namesIn(await readFeed(mine.apiKey, `after=${feed.next_cursor}`))).toEqual([]);
});

test("a waiting request is answered by the event, and holds no connection until then", async () => {
  const mine = await newIntegrator(1_000);
  const card = await newCard(mine, 100);
  const { next_cursor: cursor } = await readFeed(mine.apiKey, "after=now");
  const waiting = Array.from({ length: 10 }, () =>
    readFeed(mine.apiKey, `after=${cursor}&event=card.frozen&wait=20`),
  );
  // Ten waiting requests are more than the connections that one integrator may use for reads.
  const others = await Promise.all(
    Array.from({ length: 20 }, () => call(`GET /cards/${card.id}`, { key: mine.apiKey })),
  );
  expect(others.map(({ status }) => status)).toEqual(others.map(() => 200));
  await call(`PATCH /cards/${card.id}/freeze`, { key: mine.apiKey });
  for (const feed of await Promise.all(waiting)) {
    expect(namesIn(feed)).toEqual(["card.frozen"]);
  }
});

test("an event behind an older transaction is answered once that one has ended, and not before", async () => {
  const mine = await newIntegrator(1_000);
  const card = await newCard(mine, 100);
  const { next_cursor: cursor } = await readFeed(mine.apiKey, "after=now");
  let answered = false;
  let ended = false;
  let waiting: Promise<Feed> | undefined;
  await testDatabase().db.transaction(async (older) => {
    await older.execute(sql`select pg_current_xact_id()`);
    await call(`PATCH /cards/${card.id}/freeze`, { key: mine.apiKey });
    waiting = readFeed(mine.apiKey, `after=${cursor}&event=card.frozen&wait=20`).finally(() => {
      expect(ended).toBe(true);
      answered = true;
    });
    expect(
      namesIn(await readFeed(mine.apiKey, `after=${cursor}&event=card.frozen&wait=1`)),
    ).toEqual([]);
    expect(answered).toBe(false);
    ended = true;
  });
  expect(namesIn((await waiting) ?? { data: [], next_cursor: "" })).toEqual(["card.frozen"]);
});

test.each(["21", "-1", "1.5", "soon"])("wait=%s is refused with what is allowed", async (wait) => {
  const { apiKey: key } = await newIntegrator();
  expect(await call(`GET /events?wait=${wait}`, { key })).toMatchObject({
    status: 422,
    json: { errors: { wait: ["This field must be a whole number of seconds, 0 to 20."] } },
  });
});

test("created_at starts at or before the first event created then, and skips none", async () => {
  const mine = await newIntegrator(1_000);
  const card = await newCard(mine, 100);
  const all = await readWhole(mine.apiKey, "card.credited");
  for (const { created_at: at } of all) {
    const { data } = await readFeed(mine.apiKey, `created_at=${at}&limit=100`);
    const later = all.filter(({ created_at: other }) => other >= at);
    expect(data.map(({ id }) => id)).toEqual(expect.arrayContaining(later.map(({ id }) => id)));
  }
  const day = all[0]?.created_at.slice(0, 10);
  expect((await readFeed(mine.apiKey, `created_at=${day}&limit=100`)).data).toEqual(all);
  const afterAll = new Date(Date.parse(all.at(-1)?.created_at ?? "") + START_MARGIN_MS + 1);
  const end = await readFeed(mine.apiKey, `created_at=${afterAll.toISOString()}`);
  expect(end.data).toEqual([]);
  await call(`PATCH /cards/${card.id}/freeze`, { key: mine.apiKey });
  const next = await readFeed(mine.apiKey, `after=${end.next_cursor}&wait=20`);
  expect(namesIn(next)).toEqual(["card.frozen"]);
});

/** The whole feed, once it lists this event. */
async function readWhole(key: string, event: string): Promise<Feed["data"]> {
  await expect.poll(async () => namesIn(await readFeed(key, "limit=100"))).toContain(event);
  return (await readFeed(key, "limit=100")).data;
}

test("the margin of created_at is longer than any transaction", () => {
  expect(START_MARGIN_MS).toBeGreaterThan(timeLimit("earlierWriters"));
});

test("created_at is refused beside after, and with a value that is no time", async () => {
  const { apiKey: key } = await newIntegrator();
  for (const [query, sentence] of [
    ["after=now&created_at=2026-01-31", "This field is not allowed beside after"],
    ["created_at=yesterday", "This field must be a day or an RFC 3339 time"],
  ]) {
    expect(await call(`GET /events?${query}`, { key })).toMatchObject({
      status: 422,
      json: { errors: { created_at: [expect.stringContaining(sentence ?? "")] } },
    });
  }
});
