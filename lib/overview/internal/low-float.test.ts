import postgres from "postgres";
import { afterAll, beforeAll, expect, test } from "vitest";
import { testDatabase } from "#test/database/database.ts";
import { call } from "#test/scene/api-client.ts";
import { newIntegrator, reading } from "#test/scene/fixtures.ts";
import type { TestIntegrator } from "#test/scene/fixtures.ts";
import { findLowDay } from "#lib/overview/internal/low-float.ts";
import { addDays } from "#lib/base/time-zone.ts";

let owner: postgres.Sql;
let integrator: TestIntegrator;
const NOW = new Date();
const TODAY = NOW.toISOString().slice(0, 10);

/** A float of 10,000 from which 100 have left on each of the last 20 days, by the sums of the rollup. */
beforeAll(async () => {
  owner = postgres(testDatabase().ownerUrl, { max: 1, onnotice: () => undefined });
  integrator = await newIntegrator(10_000);
  for (let ago = 1; ago <= 20; ago += 1) {
    await owner`insert into transfer_rollups (integrator_id, quarter, kind, amount)
      values (${integrator.id}, ${`${addDays(TODAY, -ago)}T12:00Z`}, 'card_credit', 105)`;
  }
});

afterAll(async () => {
  // No transfers stand behind these sums, and the check after this file would miss them.
  await owner`delete from transfer_rollups where integrator_id = ${integrator.id}`;
  await owner.end();
});

const lowDay = async (threshold: number | null) => {
  const body = { low_balance_threshold: threshold };
  await call("PATCH /card-integrators/settings", { key: integrator.apiKey, body });
  return findLowDay(reading(integrator), "UTC", NOW);
};

test("a float that may be low within a week says when; one that is low already, or has no threshold, does not", async () => {
  // A pace of 100 a day, today included.
  expect(await lowDay(9_300)).toBe(addDays(TODAY, 7));
  expect(await lowDay(9_450)).toBe(addDays(TODAY, 5));
  expect(await lowDay(9_199)).toBeNull();
  expect(await lowDay(10_001)).toBeNull();
  expect(await lowDay(null)).toBeNull();
});
