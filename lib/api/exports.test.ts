import { beforeAll, describe, expect, test } from "vitest";
import { call } from "#test/scene/api-client.ts";
import { move, moveMany, newCard, newIntegrator } from "#test/scene/fixtures.ts";
import type { TestIntegrator } from "#test/scene/fixtures.ts";
import { buy, hold, holdId } from "#test/scene/spending.ts";
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

/** An RFC 4180 parser, independent of the code that writes the file. */
function parse(text: string): Record<string, string>[] {
  const cells = [...text.matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/gu)].map((found) => ({
    text: found[1]?.replaceAll('""', '"') ?? found[2] ?? "",
    ends: found[3] === "\r\n",
  }));
  const rows: string[][] = [[]];
  for (const { text: cell, ends } of cells) {
    rows.at(-1)?.push(cell);
    if (ends) {
      rows.push([]);
    }
  }
  const [heading = [], ...lines] = rows.slice(0, -1);
  return lines.map((line) => {
    expect(line).toHaveLength(heading.length);
    return Object.fromEntries(heading.map((name, index) => [name, line[index] ?? ""]));
  });
}

async function download(query: Record<string, string> = {}, key = integrator.apiKey) {
  const reply = await call(`GET /exports/transactions?${new URLSearchParams(query)}`, { key });
  expect(reply.status).toBe(200);
  expect(reply.headers.get("content-type")).toBe("text/csv; charset=utf-8");
  expect(reply.headers.get("content-disposition")).toBe('attachment; filename="transactions.csv"');
  return parse(reply.text);
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
      merchant_mcc: "5812",
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
      FORMULAS.toReversed().map((formula) => `'${formula}`),
    );
    expect((await download({ search: "ёлка" }))[0]).toMatchObject({ merchant_name: "'=cmd()" });
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
