import { sql } from "drizzle-orm";
import { beforeEach, expect, test } from "vitest";
import { clockOf, DAY_S } from "#test/database/clock.ts";
import { testDatabase } from "#test/database/database.ts";
import { ask, holdFor, integrator, openCardAccount } from "#test/scene/card-account.ts";
import { withTimeLimits } from "#db/time-limits.ts";

beforeEach(() => openCardAccount(10_000, 5_000));

/** A transaction of somebody else that writes, and ends when it is told to. */
async function holdOther(): Promise<{ end: () => Promise<void> }> {
  const { promise: mayEnd, resolve: letEnd } = Promise.withResolvers<void>();
  const { promise: begun, resolve: reportBegun } = Promise.withResolvers<void>();
  const other = testDatabase().db.transaction(async (tx) => {
    await tx.execute(sql`select pg_current_xact_id()`);
    reportBegun();
    await mayEnd;
  });
  await Promise.race([begun, other]);
  return {
    end: () => {
      letEnd();
      return other;
    },
  };
}

async function listExpiries(): Promise<unknown> {
  return (await ask("GET /events?event=card.reverse-transaction")).json;
}

const advance = () => ask("POST /sandbox/clock/advance", { by_seconds: 2 * DAY_S });

test("when an advance is answered, the feed lists its events, whatever else is being written", async () => {
  await holdFor(DAY_S);
  const other = await holdOther();
  let isAnswered = false;
  const answer = advance().finally(() => {
    isAnswered = true;
  });
  await expect.poll(async () => (await clockOf(integrator)).offsetS).toBe(2 * DAY_S);
  // An answer that waits for nothing else would have arrived by then.
  for (let looks = 0; looks < 30; looks += 1) {
    await clockOf(integrator);
    expect(isAnswered).toBe(false);
  }
  await other.end();
  expect(await answer).toMatchObject({ status: 200 });
  expect(await listExpiries()).toMatchObject({ data: [{ data: { status: "expired" } }] });
});

test("a transaction that does not end delays the answer for a limited time", async () => {
  await holdFor(DAY_S);
  const other = await holdOther();
  await withTimeLimits({ feed: 100 }, async () => {
    expect(await advance()).toMatchObject({ status: 200 });
  });
  expect(await listExpiries()).toMatchObject({ data: [] });
  await other.end();
  await expect.poll(listExpiries).toMatchObject({ data: [{ data: { status: "expired" } }] });
});
