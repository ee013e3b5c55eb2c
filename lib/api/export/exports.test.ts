import { beforeAll, describe, expect, test } from "vitest";
import { call } from "#test/scene/api-client.ts";
import { parseCsv } from "#test/scene/csv.ts";
import { move, moveMany, newCard, newIntegrator, newScopedKey } from "#test/scene/fixtures.ts";
import type { TestIntegrator } from "#test/scene/fixtures.ts";
import { buy, hold, holdId } from "#test/scene/spending.ts";
import { sql } from "drizzle-orm";
import { testDatabase } from "#test/database/database.ts";
import { EXPORT_ROWS } from "#lib/api/export/csv.ts";

const FORMULAS = [
  "=HYPERLINK(1)",
  "+1+1",
  "-1+1",
  "@SUM(A1)",
  "\t=1",
  "\r=1",
  "\n=1",
  "＝1+1",
] as const;

/** Behind a separator of other countries, a cell begins too. */
const HIDDEN_FORMULAS = [
  ["cheap;=1+1", "cheap;'=1+1"],
  ['cheap; "@SUM(A1)', `cheap;' "@SUM(A1)`],
  ["cheap\n-1+1", "cheap\n'-1+1"],
  ["cheap\t=1", "cheap\t'=1"],
  ["a;b\n\nc=d, e-f", "a;b\n\nc=d, e-f"],
] as const;

let integrator: TestIntegrator;
let cardId: string;
let otherId: string;

beforeAll(async () => {
  integrator = await newIntegrator(100_000);
  cardId = (await newCard(integrator, 50_000)).id;
  otherId = (await newCard(integrator, 1_000)).id;
  await buy(integrator, {
    cardId,
    amount: 1_234,
    narrative: 'Ёлка "best", 🎄\nsecond line',
    merchant: { name: "=cmd()", mcc: "5812", city: null, country: "LV" },
  });
  await holdId(integrator, { cardId, amount: 4_000, narrative: "deposit" });
  await hold(integrator, { cardId, amount: 9_999_999, narrative: "too much" });
  await buy(integrator, { cardId: otherId, amount: 5, narrative: "elsewhere" });
  const stranger = await newIntegrator(1_000);
  await newCard(stranger, 500);
});

async function download(query: Record<string, string> = {}, key = integrator.apiKey) {
  const reply = await call(`GET /exports/transactions?${new URLSearchParams(query)}`, { key });
  expect(reply.status).toBe(200);
  expect(reply.headers.get("content-type")).toBe("text/csv; charset=utf-8");
  expect(reply.headers.get("content-disposition")).toMatch(
    /^attachment; filename="Northwind-transactions.*\.csv"; /u,
  );
  return parseCsv(reply.text);
}

describe("the export of transactions", () => {
  test("contains every transaction of the integrator and no one else's, newest first", async () => {
    const rows = await download();
    expect(rows.map(({ narrative, status }) => [narrative, status])).toEqual([
      ["elsewhere", "settled"],
      ["too much", "declined"],
      ["deposit", "authorized"],
      ['Ёлка "best", 🎄\nsecond line', "settled"],
      ["", "settled"],
      ["", "settled"],
    ]);
    expect(rows[3]).toMatchObject({
      type: "deduct",
      amount: "12.34",
      currency: "USD",
      card_balance_before: "500.00",
      card_balance_after: "487.66",
      merchant_mcc: '="5812"',
      merchant_city: "",
      card_id: cardId,
      actor_name: "Test key",
    });
    expect(rows[2]).toMatchObject({ hold_amount: "40.00", hold_captured: "0.00" });
    expect(rows[1]).toMatchObject({ decline_reason: "insufficient_funds", settled_at: "" });
    expect(rows[1]?.["decline_explanation"]).toMatch(/Credit the card/u);
    expect(await download({}, (await newIntegrator()).apiKey)).toEqual([]);
  });

  test.each<[Record<string, string>, string[]]>([
    [{ status: "declined" }, ["too much"]],
    [{ decline_reason: "insufficient_funds" }, ["too much"]],
    [{ decline_reason: "card_frozen" }, []],
    [{ type: "deduct", status: "authorized" }, ["deposit"]],
    [{ amount_min: "4000", amount_max: "4000" }, ["deposit"]],
    [{ amount_max: "5" }, ["elsewhere"]],
    [{ search: "elsewhere" }, ["elsewhere"]],
    [{ to: "2020-01-01T00:00:00Z" }, []],
  ])("contains the rows that match the filter %j", async (query, narratives) => {
    expect((await download(query)).map(({ narrative }) => narrative)).toEqual(narratives);
  });

  test("for one card contains only that card's, and for another integrator's card none", async () => {
    expect((await download({ card_id: otherId })).map(({ amount }) => amount)).toEqual([
      "0.05",
      "10.00",
    ]);
    const stranger = await newIntegrator();
    expect(await download({ card_id: otherId }, stranger.apiKey)).toEqual([]);
  });

  test.each([
    ["type=gift"],
    ["amount_min=1.5"],
    ["amount_max=-1"],
    ["decline_reason=mood"],
    ["x=1"],
  ])("refuses the filter %s and names it", async (query) => {
    const reply = await call(`GET /exports/transactions?${query}`, { key: integrator.apiKey });
    expect(reply.status).toBe(422);
    expect(reply.json).toMatchObject({
      errors: { [query.split("=")[0] ?? ""]: [expect.any(String)] },
    });
  });

  test("no cell contains anything that a spreadsheet would evaluate", async () => {
    const victim = await newIntegrator(10_000);
    const card = await newCard(victim, 1_000);
    for (const narrative of FORMULAS) {
      await buy(victim, { cardId: card.id, amount: 1, narrative });
    }
    const rows = await download({ type: "deduct" }, victim.apiKey);
    expect(rows.map(({ narrative }) => narrative)).toEqual(
      FORMULAS.toReversed().map((formula) => formula.replaceAll(/^|(?<=^\s)/gu, "'")),
    );
    expect((await download({ search: "ёлка" }))[0]).toMatchObject({ merchant_name: "'=cmd()" });
  });

  test("nor does one behind a semicolon, a tab, or a line break, where other spreadsheets begin a cell", async () => {
    const victim = await newIntegrator(10_000);
    const card = await newCard(victim, 1_000);
    for (const [narrative] of HIDDEN_FORMULAS) {
      await buy(victim, { cardId: card.id, amount: 1, narrative });
    }
    const rows = await download({ type: "deduct" }, victim.apiKey);
    expect(rows.map(({ narrative }) => narrative).toReversed()).toEqual(
      HIDDEN_FORMULAS.map(([, inert]) => inert),
    );
  });

  test("text of digits stays text, with its zeros; amounts and versions stay numbers", async () => {
    const account = await newIntegrator(10_000);
    const card = await newCard(account, 1_000);
    const merchant = { name: "0815", mcc: "0742", city: "1E5", country: null };
    await buy(account, { cardId: card.id, amount: 100, narrative: "2026-10-01", merchant });
    const [row] = await download({ type: "deduct" }, account.apiKey);
    expect(row).toMatchObject({
      amount: "1.00",
      net: "-1.00",
      narrative: '="2026-10-01"',
      merchant_name: '="0815"',
      merchant_mcc: '="0742"',
      merchant_city: '="1E5"',
      category_name: "Veterinary Services",
      last4: `="${card.last4}"`,
    });
  });

  test("says what moved the card's balance and when, of holds and declines nothing", async () => {
    const rows = await download();
    expect(rows.map(({ narrative, net, posted_at }) => [narrative, net, posted_at === ""])).toEqual(
      [
        ["elsewhere", "-0.05", false],
        ["too much", "0.00", true],
        ["deposit", "0.00", true],
        ['Ёлка "best", 🎄\nsecond line', "-12.34", false],
        ["", "10.00", false],
        ["", "500.00", false],
      ],
    );
    for (const { created_at, created_date, posted_at, posted_date, settled_at } of rows) {
      expect(created_date).toBe(created_at?.slice(0, 10));
      expect([posted_at, posted_date]).toEqual([settled_at, settled_at?.slice(0, 10)]);
    }
  });

  test("names the holder and the card only to those who may read cards", async () => {
    const { key } = await newScopedKey(integrator.id, ["transactions:read"]);
    const hidden = await download({}, key);
    expect(new Set(hidden.flatMap(({ holder, last4 }) => [holder, last4]))).toEqual(new Set([""]));
    const shown = await download();
    expect(new Set(shown.map(({ holder }) => holder))).toEqual(new Set(["Lin Osei"]));
  });

  test("begins with a mark of its encoding, and its name says account, list, and period", async () => {
    const { apiKey: key } = integrator;
    const reply = await call("GET /exports/transactions?from=2026-10-01&to=2026-10-31", { key });
    expect(reply.headers.get("content-disposition")).toBe(
      `attachment; filename="Northwind-transactions-2026-10-01-to-2026-10-31.csv"; filename*=UTF-8''Northwind-transactions-2026-10-01-to-2026-10-31.csv`,
    );
    expect(reply.bytes.slice(0, 6)).toEqual(Buffer.from("\uFEFFid,", "utf8"));
  });

  test.each([
    ["Łódź & Søn / 渋谷", "Łódź-Søn-渋谷-cards.csv", "odz-Sn--cards.csv"],
    ['../"evil"\r\nX: 1', "evil-X-1-cards.csv", "evil-X-1-cards.csv"],
  ])("the file of %j has a safe name", async (business_name, name, plain) => {
    const { apiKey: key, id } = await newIntegrator();
    await testDatabase().db.execute(
      sql`update integrators set business_name = ${business_name} where id = ${id}`,
    );
    const { headers } = await call("GET /exports/cards", { key });
    expect(headers.get("content-disposition")).toBe(
      `attachment; filename="${plain}"; filename*=UTF-8''${encodeURIComponent(name)}`,
    );
  });

  test("spans several database reads without gaps or duplicates", async () => {
    const large = await newIntegrator(10_000);
    const card = await newCard(large);
    await move(large, { kind: "credit", cardId: card.id, amount: 5_000 });
    const total = EXPORT_ROWS + 3;
    const moves = Array.from({ length: total }, () => ({
      kind: "debit" as const,
      cardId: card.id,
      amount: 1,
    }));
    for (let done = 0; done < total; done += 100) {
      await moveMany(large, moves.slice(done, done + 100));
    }
    const rows = await download({ type: "debit" }, large.apiKey);
    expect(rows).toHaveLength(total);
    expect(new Set(rows.map(({ id }) => id)).size).toBe(total);
    expect(rows.at(-1)).toMatchObject({
      card_balance_before: "50.00",
      card_balance_after: "49.99",
    });
  });
});
