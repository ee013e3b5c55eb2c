import postgres from "postgres";
import { afterAll, beforeAll, expect, test } from "vitest";
import { testDatabase } from "#test/database/database.ts";
import { newIntegrator, reading } from "#test/scene/fixtures.ts";
import type { TestIntegrator } from "#test/scene/fixtures.ts";
import { readBookDays } from "#lib/overview/internal/book-days.ts";
import { watchStatements } from "#db/statements.ts";

let owner: postgres.Sql;
let integrator: TestIntegrator;

beforeAll(async () => {
  owner = postgres(testDatabase().ownerUrl, { max: 1, onnotice: () => undefined });
  integrator = await newIntegrator();
});

afterAll(async () => {
  // No transfers stand behind these sums, and the check after this file would miss them.
  await clear();
  await owner.end();
});

const clear = () => owner`delete from transfer_rollups where integrator_id = ${integrator.id}`;

/** The sums of the quarters of an hour around midnight on two days: each a different amount. */
async function spend(quarters: readonly string[]): Promise<void> {
  await clear();
  for (const [index, quarter] of quarters.entries()) {
    await owner`insert into transfer_rollups (integrator_id, quarter, kind, amount)
      values (${integrator.id}, ${quarter}, 'card_purchase', ${10 ** index})`;
  }
}

test.each([
  [
    "America/New_York, as its clocks go forward",
    "America/New_York",
    ["2026-03-08T04:45Z", "2026-03-08T05:00Z", "2026-03-09T03:45Z", "2026-03-09T04:00Z"],
  ],
  [
    "America/New_York, as its clocks go back",
    "America/New_York",
    ["2026-11-01T03:45Z", "2026-11-01T04:00Z", "2026-11-02T04:45Z", "2026-11-02T05:00Z"],
  ],
  [
    "Asia/Kolkata",
    "Asia/Kolkata",
    ["2026-03-07T18:15Z", "2026-03-07T18:30Z", "2026-03-08T18:15Z", "2026-03-08T18:30Z"],
  ],
  [
    "Asia/Kathmandu",
    "Asia/Kathmandu",
    ["2026-03-07T18:00Z", "2026-03-07T18:15Z", "2026-03-08T18:00Z", "2026-03-08T18:15Z"],
  ],
  [
    "Pacific/Chatham, as its clocks go back",
    "Pacific/Chatham",
    ["2026-04-04T10:00Z", "2026-04-04T10:15Z", "2026-04-05T11:00Z", "2026-04-05T11:15Z"],
  ],
  [
    "UTC",
    "UTC",
    ["2026-03-07T23:45Z", "2026-03-08T00:00Z", "2026-03-08T23:45Z", "2026-03-09T00:00Z"],
  ],
])(
  "the days of %s contain what moved on them, to the quarter of an hour",
  async (_what, ...rest) => {
    const [timeZone, quarters] = rest;
    await spend(quarters);
    const now = new Date(Date.parse(quarters[3] ?? "") + 3_600_000);
    const days = await readBookDays(reading(integrator), { days: 2, now, timeZone });
    expect(days.map(({ spent }) => spent)).toEqual([110, 1_000]);
  },
);

test("the days' bounds are converted once, not for each row", async () => {
  const sent: string[] = [];
  watchStatements((text) => void sent.push(text));
  await readBookDays(reading(integrator), { days: 2, now: new Date(), timeZone: "UTC" });
  watchStatements(undefined);
  const [statement = ""] = sent;
  const rows = await owner.unsafe(`explain (generic_plan, verbose) ${statement}`).simple();
  const lines = rows.map((row) => String(row["QUERY PLAN"]).trim());
  // The plan of the subquery, which runs once, contains nothing else.
  expect(lines.filter((line) => line.includes("time zone[]"))).toEqual([
    "Output: ($1)::timestamp with time zone[]",
  ]);
});
