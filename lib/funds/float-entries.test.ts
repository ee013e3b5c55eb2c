import { beforeAll, describe, expect, test } from "vitest";
import { call } from "#test/scene/api-client.ts";
import { move, newCard, newIntegrator } from "#test/scene/fixtures.ts";
import type { TestIntegrator } from "#test/scene/fixtures.ts";

let integrator: TestIntegrator;
let cardId: string;

beforeAll(async () => {
  integrator = await newIntegrator(10_000);
  cardId = (await newCard(integrator)).id;
  await move(integrator, { kind: "credit", cardId, amount: 3_000, narrative: "Travel, May" });
  await move(integrator, { kind: "debit", cardId, amount: 200, narrative: "=Too much" });
});

async function list(query: Record<string, string>) {
  const path = `/card-integrators/float/entries?${new URLSearchParams(query)}`;
  const { status, json } = await call(`GET ${path}`, { key: integrator.apiKey });
  expect(status).toBe(200);
  return json;
}

async function download(query: Record<string, string>): Promise<string[]> {
  const path = `/exports/float-entries?${new URLSearchParams(query)}`;
  const reply = await call(`GET ${path}`, { key: integrator.apiKey });
  expect(reply.status).toBe(200);
  return reply.text.trimEnd().split("\r\n");
}

test("an entry has the narrative of its movement", async () => {
  expect(await list({})).toMatchObject({
    data: [
      { kind: "card_debit", narrative: "=Too much" },
      { kind: "card_credit", narrative: "Travel, May" },
      { kind: "float_top_up", narrative: null },
    ],
  });
});

test("the export ends each line with the narrative, so that every other column stays where it was", async () => {
  const [header, debit, credit, topUp] = await download({});
  expect(header).toBe(
    "version,kind,amount,balance_after,currency,card_id,transfer_id,request_id,created_at,narrative",
  );
  expect(debit).toMatch(/^3,card_debit,2\.00,72\.00,USD,.*Z,'=Too much$/u);
  expect(credit).toMatch(/^2,card_credit,-30\.00,70\.00,USD,.*Z,"Travel, May"$/u);
  expect(topUp).toMatch(/^1,float_top_up,100\.00,100\.00,USD,,.*Z,$/u);
});

describe.each([
  [{ kind: "card_credit" }, [2]],
  [{ kind: "float_top_up" }, [1]],
  [{ from: "2020-01-01T00:00:00Z" }, [3, 2, 1]],
  [{ to: "2020-01-01T00:00:00Z" }, []],
] as const)("the filter %j", (query, versions) => {
  test("selects the entries and the lines of the export", async () => {
    expect(await list(query)).toMatchObject({ data: versions.map((version) => ({ version })) });
    const [, ...lines] = await download(query);
    expect(lines.map((line) => Number(line.split(",")[0]))).toEqual(versions);
  });
});

test("one card's entries are those of its movements", async () => {
  expect(await list({ card_id: cardId })).toMatchObject({ data: [{ version: 3 }, { version: 2 }] });
  expect(await download({ card_id: cardId })).toHaveLength(3);
});

test.each(["kind=card_purchase", "card_id=7", "from=yesterday", "to=2026-13-01", "type=credit"])(
  "refuses the filter %s and names it",
  async (query) => {
    for (const path of ["/card-integrators/float/entries", "/exports/float-entries"]) {
      const reply = await call(`GET ${path}?${query}`, { key: integrator.apiKey });
      expect(reply.status).toBe(422);
      const name = query.split("=")[0] ?? "";
      expect(reply.json).toMatchObject({ errors: { [name]: [expect.any(String)] } });
    }
  },
);
