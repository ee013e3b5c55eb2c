import { beforeEach, expect, test } from "vitest";
import { call } from "#test/scene/api-client.ts";
import { newCard, newIntegrator, reading } from "#test/scene/fixtures.ts";
import type { TestIntegrator } from "#test/scene/fixtures.ts";
import { runBulkJobs } from "#lib/bulk/bulk-runner.ts";
import { previewCredit } from "#lib/bulk/credit-preview.ts";
import { database } from "#db/client.ts";

interface Row {
  card_id: string;
  amount: number;
}

let integrator: TestIntegrator;
let cards: string[];

beforeEach(async () => {
  integrator = await newIntegrator(1_000_000);
  cards = [];
  for (let count = 0; count < 4; count += 1) {
    cards.push((await newCard(integrator, 1_000)).id);
  }
});

async function runJob(items: readonly Row[], check = false): Promise<string> {
  const body = { operation: "credit", check, items };
  const answer = await call("POST /bulk", { key: integrator.apiKey, body });
  await runBulkJobs(database());
  return (answer.json as { data: { id: string } }).data.id;
}

const toRows = (...amounts: number[]): Row[] =>
  amounts.map((amount, at) => ({ card_id: cards[at % cards.length] ?? "", amount }));

const preview = async (rows: readonly Row[], by = integrator) =>
  previewCredit(reading(by), await runJob(rows, true));

test("each row says who gets what; what stands out and who is named twice come first", async () => {
  const rows = [...toRows(100, 120, 5_000), { card_id: cards[0] ?? "", amount: 90 }];
  const { planned } = await preview(rows);
  expect(
    planned.map(({ position, amount, balanceAfter }) => [position, amount, balanceAfter]),
  ).toEqual([
    [2, 5_000, 6_000],
    [0, 100, 1_100],
    [3, 90, 1_190],
    [1, 120, 1_120],
  ]);
  expect(planned.map(({ isOutlier, isRepeated }) => [isOutlier, isRepeated])).toEqual([
    [true, false],
    [false, true],
    [false, true],
    [false, false],
  ]);
  expect(planned[0]?.cardName).toBe("Lin Osei");
});

test("a job that credited the same rows is named, in any order and beside others", async () => {
  const rows = toRows(100, 200, 300);
  expect((await preview(rows)).earlier).toBeNull();
  const jobId = await runJob(rows);
  expect((await preview(rows.toReversed())).earlier).toMatchObject({ jobId, rows: 3 });
  expect((await preview(rows.slice(1))).earlier).toMatchObject({ jobId, rows: 2 });
  expect((await preview(toRows(100, 200, 301))).earlier).toMatchObject({ jobId, rows: 2 });
});

test("other amounts, most rows new, and another account's job are no repetition", async () => {
  await runJob(toRows(100, 200, 300, 400));
  expect((await preview(toRows(101, 201, 301, 401))).earlier).toBeNull();
  expect((await preview(toRows(100, 201, 301, 401))).earlier).toBeNull();
  const stranger = await newIntegrator(0);
  const seen = await preview(toRows(100, 200, 300, 400), stranger);
  expect(seen).toMatchObject({ planned: [], earlier: null });
});

test("a row twice is a repetition only if both were there", async () => {
  const [once] = toRows(100);
  if (!once) {
    throw new Error("There is no row.");
  }
  await runJob([once]);
  expect((await preview([once, once, once])).earlier).toBeNull();
  expect((await preview([once, once])).earlier).toMatchObject({ rows: 1 });
});
