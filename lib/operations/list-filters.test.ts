import { setTimeout as sleep } from "node:timers/promises";
import { beforeAll, describe, expect, test } from "vitest";
import { call } from "#test/scene/api-client.ts";
import { createCardFor, newUser } from "#test/scene/cardholders.ts";
import type { User } from "#test/scene/cardholders.ts";
import { newIntegrator } from "#test/scene/fixtures.ts";
import type { TestIntegrator } from "#test/scene/fixtures.ts";
import { setWebhookUrl } from "#test/scene/webhook-url.ts";

/** An account in which everything happens twice: once before a moment, and once after it. */

interface Half {
  user: User;
  card: string;
}

let mine: TestIntegrator;
let earlier: Half;
let moment: string;
let later: Half;

async function send(line: string, body?: object) {
  const { json, status } = await call(line, { key: mine.apiKey, ...(body ? { body } : {}) });
  expect([line, status < 300]).toEqual([line, true]);
  return json;
}

interface Page {
  data: { id: string; amount?: number }[];
  next_cursor: string | null;
}

/** The rows of a list, whatever form it has. */
async function list(path: string, query: Record<string, string> = {}): Promise<unknown[]> {
  const json = await send(`GET ${path}?${new URLSearchParams({ limit: "100", ...query })}`);
  return Array.isArray(json) ? json : (json as Page).data;
}

/** The pages of a list, from cursor to cursor. */
async function* pagesOf(path: string, query: Record<string, string>): AsyncGenerator<Page, void> {
  let cursor: string | null = "";
  while (cursor !== null) {
    const asked = new URLSearchParams({ ...query, ...(cursor ? { cursor } : {}) });
    const page = (await send(`GET ${path}?${asked}`)) as Page;
    yield page;
    cursor = page.next_cursor;
  }
}

async function live(): Promise<Half> {
  const user = await newUser(mine);
  const { json } = await createCardFor(mine, user);
  const card = (json as { data: { id: string } }).data.id;
  await send("PATCH /cards/credit/balance", { card_id: card, amount: 100 });
  await send("POST /bulk", { operation: "freeze", items: [{ card_id: card }] });
  return { user, card };
}

beforeAll(async () => {
  mine = await newIntegrator(10_000);
  await setWebhookUrl(mine, "https://hooks.example");
  earlier = await live();
  await sleep(5);
  moment = new Date().toISOString();
  await sleep(5);
  later = await live();
});

describe("from and to part a list at a moment", () => {
  test.each([
    "/cards",
    "/cards?status=frozen,closed",
    "/cards?order=oldest",
    "/cards?search=Mensah",
    "/card-integrators/card-users",
    "/transactions",
    "/card-integrators/float/entries",
    "/webhook-deliveries",
    "/bulk",
  ])("%s", async (path) => {
    const [at = "", asked = ""] = path.split("?");
    const query = Object.fromEntries(new URLSearchParams(asked));
    const read = (period: Record<string, string>) => list(at, { ...query, ...period });
    const [whole, before, after] = [
      await read({ to: new Date().toISOString() }),
      await read({ to: moment }),
      await read({ from: moment, to: new Date().toISOString() }),
    ];
    expect([before.length > 0, after.length > 0]).toEqual([true, true]);
    const parts = query["order"] === "oldest" ? [...before, ...after] : [...after, ...before];
    expect(whole).toEqual(parts);
  });

  test("a card's activity", async () => {
    const at = `/cards/${earlier.card}/activity`;
    expect(await list(at, { from: moment })).toEqual([]);
    expect(await list(at, { to: moment })).toEqual(await list(at));
    expect(await list(`/cards/${later.card}/activity`, { to: moment })).toEqual([]);
  });
});

test.each([
  ["newest", () => [later.user.id, earlier.user.id]],
  ["oldest", () => [earlier.user.id, later.user.id]],
] as const)("cardholders continue by cursor, %s first", async (order, toIds) => {
  const found: string[] = [];
  for await (const page of pagesOf("/card-integrators/card-users", { order, limit: "1" })) {
    expect(page).toMatchObject({ page: 1, total: 2, total_pages: 2 });
    found.push(...page.data.map(({ id }) => id));
  }
  expect(found).toEqual(toIds());
});

test("transactions of a cardholder are those of all their cards, newest first, in pages", async () => {
  const { user } = earlier;
  const { json } = await createCardFor(mine, user);
  const second = (json as { data: { id: string } }).data.id;
  for (const [card, amount] of [
    [second, 1],
    [later.card, 2],
    [earlier.card, 3],
    [second, 4],
  ] as const) {
    await send("PATCH /cards/credit/balance", { card_id: card, amount });
  }
  const amounts: unknown[] = [];
  for await (const { data } of pagesOf("/transactions", { user_id: user.id, limit: "2" })) {
    amounts.push(...data.map(({ amount }) => amount));
  }
  expect(amounts).toEqual([4, 3, 1, 100]);
  expect(await list("/transactions", { user_id: user.id, type: "debit" })).toEqual([]);
  expect(await list("/transactions", { user_id: user.id, card_id: later.card })).toEqual([]);
});

test("a recovery takes a day, which means its start", async () => {
  const day = new Date().toISOString().slice(0, 10);
  expect(await send(`GET /webhook-deliveries/missed?since=${day}`)).toEqual(
    await send(`GET /webhook-deliveries/missed?since=${day}T00:00:00Z`),
  );
});
