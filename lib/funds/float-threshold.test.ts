import { and, eq, inArray } from "drizzle-orm";
import { readRecorded } from "#test/scene/recorded-events.ts";
import { beforeEach, expect, test } from "vitest";
import { call } from "#test/scene/api-client.ts";
import { move, newCard, newIntegrator } from "#test/scene/fixtures.ts";
import type { TestIntegrator } from "#test/scene/fixtures.ts";
import { events } from "#db/schema/events.ts";

const CROSSINGS = ["float.low-balance", "float.recovered"];

let integrator: TestIntegrator;

beforeEach(async () => {
  integrator = await newIntegrator(1_000);
});

function setThreshold(low_balance_threshold: number | null) {
  return call("PATCH /card-integrators/settings", {
    key: integrator.apiKey,
    body: { low_balance_threshold },
  });
}

/** The float's crossings, in their order: the event with its balance and threshold. */
async function readCrossings(): Promise<unknown[]> {
  const crossings = await readRecorded(
    and(eq(events.integratorId, integrator.id), inArray(events.event, CROSSINGS)),
  );
  return crossings.map(({ event, data }) => [event, data["balance"], data["threshold"]]);
}

test("a threshold above the balance reports it low at once, and one below it recovered", async () => {
  await setThreshold(2_000);
  expect(await readCrossings()).toEqual([["float.low-balance", 1_000, 2_000]]);
  await setThreshold(3_000);
  await setThreshold(1_000);
  await setThreshold(999);
  expect(await readCrossings()).toEqual([
    ["float.low-balance", 1_000, 2_000],
    ["float.recovered", 1_000, 1_000],
  ]);
});

test("a change of the threshold is not reported again by the next move of funds", async () => {
  await setThreshold(2_000);
  await move(integrator, { kind: "top-up", amount: 500 });
  await move(integrator, { kind: "top-up", amount: 500 });
  await setThreshold(2_500);
  await setThreshold(null);
  await move(integrator, { kind: "top-up", amount: 500 });
  expect(await readCrossings()).toEqual([
    ["float.low-balance", 1_000, 2_000],
    ["float.recovered", 2_000, 2_000],
    ["float.low-balance", 2_000, 2_500],
    ["float.recovered", 2_000, null],
  ]);
});

test("thresholds that change while funds move: the two events alternate, and the last one is true", async () => {
  const { id: cardId } = await newCard(integrator);
  const moves = (async () => {
    for (let turn = 0; turn < 30; turn += 1) {
      await move(integrator, { kind: "credit", cardId, amount: 100 });
      await move(integrator, { kind: "debit", cardId, amount: 100 });
    }
  })();
  for (let turn = 0; turn < 30; turn += 1) {
    expect(await setThreshold([901, 1_001, null][turn % 3] ?? null)).toMatchObject({ status: 200 });
  }
  await moves;
  await setThreshold(2_000);
  const names = (await readCrossings()).map((crossing) => String(crossing).split(",")[0]);
  expect(names).toEqual(names.map((_, at) => CROSSINGS[at % 2]));
  expect(names.length % 2).toBe(1);
});
