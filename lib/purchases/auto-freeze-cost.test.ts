import postgres from "postgres";
import { afterAll, beforeAll, expect, test } from "vitest";
import { readBuffers, switchOffAutovacuum } from "#test/database/table-figures.ts";
import { testDatabase } from "#test/database/database.ts";
import { ask, cardId, integrator, openCardAccount } from "#test/scene/card-account.ts";
import { hold } from "#test/scene/spending.ts";
import { closeDatabase, configureDatabase } from "#db/client.ts";
import { watchStatements } from "#db/statements.ts";

let owner: postgres.Sql;

beforeAll(async () => {
  const { ownerUrl, url } = testDatabase();
  owner = postgres(ownerUrl, { max: 1, onnotice: () => undefined });
  await switchOffAutovacuum(owner);
  // One connection, so that its counters can be read.
  await closeDatabase();
  configureDatabase(url, { max: 1 });
  await openCardAccount(100_000, 50_000);
});

afterAll(() => owner.end());

const ROUNDS = 4;

/** The statements that an authorization sends, and the buffers that it reads, by table, in the best of some rounds. */
async function measure(amount: number) {
  const rounds = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    let statements = 0;
    const before = await readBuffers(owner);
    watchStatements(() => {
      statements += 1;
      return undefined;
    });
    await hold(integrator, { cardId, amount });
    watchStatements(undefined);
    const after = await readBuffers(owner);
    const read = [...after]
      .map(([table, count]) => [table, count - (before.get(table) ?? 0)] as const)
      .filter(([, count]) => count > 0);
    rounds.push({ statements, buffers: Object.fromEntries(read) });
  }
  const [least] = rounds.toSorted((a, b) => sum(a.buffers) - sum(b.buffers));
  return least ?? { statements: Number.NaN, buffers: {} };
}

function sum(read: Readonly<Record<string, number>>): number {
  return Object.values(read).reduce((total, count) => total + count, 0);
}

/** What nothing else in an authorization reads. */
const OF_THE_RULE = ["audit_log", "card_state_changes"];

const APPROVED = 1;
const DECLINED = 60_000;

test("without the setting, a decline costs what it did; with it, an approval does", async () => {
  const approved = await measure(APPROVED);
  const declined = await measure(DECLINED);
  // One asks whether the operator has stopped all changes, as every transaction does.
  expect([approved.statements, declined.statements]).toEqual([10, 10]);
  for (const table of OF_THE_RULE) {
    expect(approved.buffers).not.toHaveProperty(table);
    expect(declined.buffers).not.toHaveProperty(table);
  }
  await ask("PATCH /card-integrators/settings", {
    auto_freeze: { declines: 100, within_minutes: 1_440, reasons: null },
  });
  const withRule = await measure(APPROVED);
  expect(withRule.statements).toBe(approved.statements);
  expect(Object.keys(withRule.buffers)).toEqual(Object.keys(approved.buffers));
  const counted = await measure(DECLINED);
  expect(counted.statements).toBe(declined.statements + 1);
  expect(counted.buffers).toHaveProperty("card_state_changes");
});
