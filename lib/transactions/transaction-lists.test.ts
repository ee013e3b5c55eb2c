import { beforeAll, describe, expect, test } from "vitest";
import { flushApiLog } from "#lib/api/edge/api-log.ts";
import { call } from "#test/scene/api-client.ts";
import { freezeCard, newCard, newIntegrator, write } from "#test/scene/fixtures.ts";
import type { TestIntegrator } from "#test/scene/fixtures.ts";
import { buy, capture, refundPurchase, hold, holdId, reverse } from "#test/scene/spending.ts";

let integrator: TestIntegrator;
let cardId: string;
const ids: Record<string, string> = {};

const LUNCH = { name: "Bistro", mcc: "5812", city: null, country: "FR" };

const shop = (name: string) => ({ name, mcc: null, city: null, country: null });

beforeAll(async () => {
  integrator = await newIntegrator(10_000);
  cardId = (await newCard(integrator, 5_000)).id;
  const other = await newCard(integrator, 1_000);
  const bought = await buy(integrator, { cardId, amount: 1_234, narrative: "Ёлка 🎄 100% wool_x" });
  ids["bought"] = bought.transaction.id;
  ids["part"] = await holdId(integrator, { cardId, amount: 300, merchant: shop("Müller & Söhne") });
  await capture(integrator, ids["part"], { amount: 100 });
  ids["further"] = (await capture(integrator, ids["part"], { amount: 50 })).id;
  ids["undone"] = await holdId(integrator, { cardId, amount: 40, narrative: "Undone" });
  await reverse(integrator, ids["undone"]);
  ids["open"] = await holdId(integrator, { cardId, amount: 41 });
  ids["lunch"] = await holdId(integrator, { cardId: other.id, amount: 20, merchant: LUNCH });
  ids["back"] = (
    await refundPurchase(integrator, { cardId, transactionId: ids["bought"], amount: 7 })
  ).id;
  ids["poor"] = (await hold(integrator, { cardId, amount: 999_999 })).transaction.id;
  await buy(integrator, { cardId: other.id, amount: 5, narrative: "Elsewhere" });
  const stranger = await newIntegrator(10_000);
  const theirs = await newCard(stranger, 5_000);
  await buy(stranger, { cardId: theirs.id, amount: 1_234, narrative: "Ёлка" });
  await write(integrator, (ctx) => freezeCard(ctx, cardId, { reason: null, comment: null }));
  ids["frozen"] = (await buy(integrator, { cardId, amount: 3 })).transaction.id;
});

const list = (query: Record<string, string>) => listAt("/transactions", query);
const listOfCard = (query: Record<string, string>) =>
  listAt(`/cards/${cardId}/transactions`, query);

async function listAt(path: string, query: Record<string, string>): Promise<string[]> {
  const reply = await call(`GET ${path}?${new URLSearchParams(query)}`, {
    key: integrator.apiKey,
  });
  expect(reply.status).toBe(200);
  const { data } = reply.json as { data: { id: string }[] };
  return data.map(({ id }) => Object.keys(ids).find((name) => ids[name] === id) ?? "other");
}

describe("the list of all transactions", () => {
  test.each([
    [{ search: "ёлка" }, ["back", "bought"]],
    [{ search: "🎄" }, ["back", "bought"]],
    [{ search: "100%" }, ["back", "bought"]],
    [{ search: "l_x" }, ["back", "bought"]],
    [{ search: "l%x" }, []],
    [{ search: "müller & s" }, ["further", "part"]],
    [{ search: "1234" }, ["bought"]],
    [{ search: "12.34" }, ["bought"]],
    [{ search: "card frozen" }, ["frozen"]],
    [{ search: "insufficient_funds" }, ["poor"]],
    [{ search: "cardxfrozen" }, []],
    [{ type: "deduct-reversal" }, ["back"]],
    [{ status: "declined" }, ["frozen", "poor"]],
    [{ status: "authorized" }, ["lunch", "open"]],
    [{ status: "reversed", search: "undone" }, ["undone"]],
    [{ status: "expired" }, []],
    [{ decline_reason: "card_frozen" }, ["frozen"]],
    [{ status: "declined,reversed,authorized" }, ["frozen", "poor", "lunch", "open", "undone"]],
    [{ type: "deduct-reversal,debit", status: "settled,declined" }, ["back"]],
    [{ type: "deduct", status: "reversed,authorized", search: "undone" }, ["undone"]],
    [{ decline_reason: "card_frozen,insufficient_funds" }, ["frozen", "poor"]],
    [{ decline_reason: "card_frozen,insufficient_funds", amount_max: "3" }, ["frozen"]],
    [{ decline_reason: "card_closed" }, []],
    [{ decline_reason: "insufficient_funds", type: "credit" }, []],
    [{ mcc: "5812" }, ["lunch"]],
    [{ country: "FR", status: "authorized" }, ["lunch"]],
    [{ mcc: "5812", country: "GB" }, []],
    [{ mcc: "5812", status: "settled" }, []],
    [{ mcc: "unknown", status: "declined" }, ["frozen", "poor"]],
    [{ country: "unknown", type: "deduct-reversal" }, ["back"]],
    [{ merchant: " Bistro " }, ["lunch"]],
    [{ merchant: "bistro" }, []],
    [{ merchant: "Bist" }, []],
    [{ merchant: "Unknown merchant", status: "declined" }, ["frozen", "poor"]],
    [{ amount_min: "300", amount_max: "1234", type: "deduct" }, ["bought"]],
    [{ amount_min: "7", amount_max: "41", status: "settled" }, ["back"]],
    [{ amount_min: "999999" }, ["poor"]],
    [{ amount_max: "3", decline_reason: "card_frozen" }, ["frozen"]],
  ])("%j finds %j", async (query, found) => {
    expect(await list(query)).toEqual(found);
  });

  test("filters by id, by card, and by time", async () => {
    expect(await list({ search: String(ids["undone"]) })).toEqual(["undone"]);
    expect(await list({ card_id: cardId, type: "deduct", status: "settled" })).toEqual([
      "further",
      "part",
      "bought",
    ]);
    const at = async (name: string) => {
      const { json } = await call(`GET /cards/transaction/${ids[name]}`, {
        key: integrator.apiKey,
      });
      return (json as { data: { created_at: string } }).data.created_at;
    };
    const [from, to] = [await at("undone"), await at("poor")];
    const between = await list({ from, to, card_id: cardId });
    expect(between.filter((name) => name !== "further")).toEqual(["back", "open", "undone"]);
    expect(await list({ to: "2001-01-01T00:00:00Z" })).toEqual([]);
    expect(await list({ from: "2999-01-01T00:00:00Z" })).toEqual([]);
    expect(await list({ from: "0001-01-01T00:00:00Z", search: "undone" })).toEqual(["undone"]);
  });
});

async function readPosted(name: string): Promise<string> {
  const { json } = await call(`GET /cards/transaction/${ids[name]}`, { key: integrator.apiKey });
  return (json as { data: { settled_at: string } }).data.settled_at;
}

describe("the period in which purchases and refunds posted", () => {
  test.each([
    [{}, ["back", "further", "part", "other", "bought"]],
    [{ type: "deduct-reversal" }, ["back"]],
    [{ mcc: "unknown" }, ["back", "further", "part", "other", "bought"]],
    [{ country: "FR" }, []],
  ])("leaves out what only moved funds, holds, and was declined: %j", async (query, found) => {
    const listed = await list({ ...query, posted_from: "2001-01-01", limit: "100" });
    expect(new Set(listed)).toEqual(new Set(found));
  });

  test("is not the one in which they were made, and ends before its end", async () => {
    const [captured, refunded] = [await readPosted("part"), await readPosted("back")];
    expect(captured < refunded).toBe(true);
    const since = await list({ posted_from: captured, posted_to: refunded, card_id: cardId });
    expect(since.toSorted()).toEqual(["further", "part"]);
    expect(await list({ posted_from: refunded, card_id: cardId })).toEqual(["back"]);
    expect(await list({ posted_to: captured, card_id: cardId })).toEqual(["bought"]);
  });

  test("is read in pages of one order", async () => {
    const all = await list({ posted_from: "2001-01-01" });
    const pages: string[] = [];
    let cursor: string | null = null;
    do {
      const query = new URLSearchParams({ posted_from: "2001-01-01", limit: "2" });
      if (cursor !== null) {
        query.set("cursor", cursor);
      }
      const { json } = await call(`GET /transactions?${query}`, { key: integrator.apiKey });
      const page = json as { data: { id: string }[]; next_cursor: string | null };
      pages.push(
        ...page.data.map(({ id }) => Object.keys(ids).find((name) => ids[name] === id) ?? "other"),
      );
      cursor = page.next_cursor;
    } while (cursor !== null);
    expect(pages).toEqual(all);
  });

  test("must not end before it begins", async () => {
    const { status, json } = await call(
      "GET /transactions?posted_from=2026-02-01&posted_to=2026-01-01",
      { key: integrator.apiKey },
    );
    expect(status).toBe(422);
    expect(json).toMatchObject({
      errors: {
        posted_from: ["This field must not be after posted_to."],
        posted_to: ["This field must not be before posted_from."],
      },
    });
  });
});

const DAY_MS = 24 * 3_600_000;
const toDay = (at: number) => new Date(at).toISOString().slice(0, 10);

describe("a day as the boundary of a period", () => {
  test("`from` means its start in UTC, and `to` its end", async () => {
    const { json } = await call("GET /transactions?limit=100", { key: integrator.apiKey });
    const { data } = json as { data: { created_at: string }[] };
    const times = data.map(({ created_at: at }) => Date.parse(at));
    const [first, last] = [toDay(Math.min(...times)), toDay(Math.max(...times))];
    expect(await list({ from: first, to: last, limit: "100" })).toHaveLength(times.length);
    expect(await list({ from: toDay(Math.max(...times) + DAY_MS) })).toEqual([]);
    expect(await list({ to: toDay(Math.min(...times) - DAY_MS) })).toEqual([]);
    expect(await list({ to: "9999-12-31", search: "undone" })).toEqual(["undone"]);
  });

  test.each(["2026-02-30", "2026-2-3", "yesterday", "0000-01-01"])(
    "%s is refused with a sentence about the member",
    async (day) => {
      const reply = await call(`GET /transactions?to=${day}`, { key: integrator.apiKey });
      expect(reply).toMatchObject({
        status: 422,
        json: { errors: { to: [expect.stringMatching(/^This field must be/u)] } },
      });
    },
  );
});

describe("the list of one card's transactions", () => {
  test("takes types, statuses, and a period", async () => {
    expect(await listOfCard({ status: "reversed,authorized" })).toEqual(["open", "undone"]);
    expect(await listOfCard({ type: "deduct-reversal" })).toEqual(["back"]);
    expect(await listOfCard({ type: "deduct", status: "declined", Limit: "1" })).toEqual([
      "frozen",
    ]);
    expect(await listOfCard({ to: "2001-01-01" })).toEqual([]);
    expect(await listOfCard({ from: "2999-01-01T00:00:00Z" })).toEqual([]);
  });
});

test("a word that a filter does not know is refused with those that it knows", async () => {
  const reply = await call("GET /transactions?status=settled,paid", { key: integrator.apiKey });
  const allowed =
    "This field must be one or more of authorized, captured, settled, declined, reversed, expired, separated by commas.";
  expect(reply).toMatchObject({ status: 422, json: { errors: { status: [allowed] } } });
});

test("a transaction has a path of its own, with the same answer but for the message", async () => {
  const { apiKey: key } = integrator;
  const own = await call(`GET /transactions/${ids["bought"]}`, { key });
  const published = await call(`GET /cards/transaction/${ids["bought"]}`, { key });
  expect({ ...Object(own.json), message: "Ok" }).toEqual(published.json);
});

test("a card's timeline shows its purchases, declines, refunds, status changes, and refused requests", async () => {
  await call("PATCH /cards/debit/balance", {
    key: integrator.apiKey,
    body: { card_id: cardId, amount: 1_000_000 },
  });
  await flushApiLog();
  const reply = await call(`GET /cards/${cardId}/activity?limit=100`, { key: integrator.apiKey });
  const { data } = reply.json as {
    data: {
      type: string;
      transaction: { type: string; status: string } | null;
      state_change: { to: string } | null;
      refusal: { code: string } | null;
    }[];
  };
  expect(
    data.map(({ type, transaction, state_change: change, refusal }) =>
      transaction
        ? `${transaction.type} ${transaction.status}`
        : `${type} ${change?.to ?? refusal?.code}`,
    ),
  ).toEqual([
    "refused_attempt insufficient_card_balance",
    "deduct declined",
    "state_change frozen",
    "deduct declined",
    "deduct-reversal settled",
    "deduct authorized",
    "deduct reversed",
    "deduct settled",
    "deduct settled",
    "deduct settled",
    "credit settled",
    "state_change active",
  ]);
});
