import { getTableColumns, sql } from "drizzle-orm";
import { beforeEach, describe, expect, test } from "vitest";
import {
  cardId,
  holdFor,
  integrator,
  openCardAccount,
  statusOf,
} from "#test/scene/card-account.ts";
import {
  advance,
  expectStillMoving,
  beginHold,
  begin,
  clockOf,
  DAY_S,
  HOUR_S,
  reset,
} from "#test/database/clock.ts";
import { testDatabase } from "#test/database/database.ts";
import { newCard, newIntegrator, write } from "#test/scene/fixtures.ts";
import { capture, reverse } from "#test/scene/spending.ts";
import { ADVANCE_MAX_S } from "#lib/base/deadline-clock.ts";
import { closeCard } from "#lib/funds/close-card.ts";
import { completeMove } from "#lib/clock/clock-move.ts";
import { DEADLINES } from "#lib/clock/internal/deadlines.ts";
import { beginReset } from "#lib/clock/clock-reset.ts";
import { cards } from "#db/schema/cards.ts";
import { transactions } from "#db/schema/transactions.ts";
import { ledgerAccounts } from "#db/schema/ledger.ts";
import { CLOCK_OFFSET_MAX_S } from "#db/schema/integrators.ts";

beforeEach(() => openCardAccount(10_000, 5_000));

const wrong = (member: string, sentence: RegExp) => ({
  code: "validation_failed",
  errors: { [member]: [expect.stringMatching(sentence)] },
});

const inUse = (counts: string) => ({
  code: "clock_in_use",
  detail: expect.stringContaining(`deadlines of ${counts} were set`),
});

describe("how far the clock goes", () => {
  test("forward only, at most 400 days at once and ten years in all", async () => {
    const { now } = await advance(integrator, HOUR_S);
    const after = (seconds: number) => ({ to: new Date(now.getTime() + seconds * 1_000) });
    await expect(begin(integrator, after(-1))).rejects.toMatchObject(
      wrong("to", /later than the clock, which shows \d{4}-/u),
    );
    await expect(begin(integrator, after(ADVANCE_MAX_S + 60))).rejects.toMatchObject(
      wrong("to", /at most 400 days later than the clock/u),
    );
    await testDatabase().db.execute(sql`
      update integrators set clock_offset_s = ${CLOCK_OFFSET_MAX_S - 5} where id = ${integrator.id}`);
    await expect(begin(integrator, { byS: 6 })).rejects.toMatchObject(
      wrong("by_seconds", /10 years .* 5 more seconds/u),
    );
    expect(await advance(integrator, 5)).toMatchObject({ offsetS: CLOCK_OFFSET_MAX_S });
  });

  test("to a time, which it has then reached", async () => {
    const to = new Date(Date.now() + 90 * DAY_S * 1_000);
    const begun = await begin(integrator, { to });
    await completeMove(testDatabase().db, integrator.id);
    const { now } = await clockOf(integrator);
    expect(begun.now.getTime()).toBeGreaterThanOrEqual(to.getTime());
    expect(now.getTime()).toBeGreaterThanOrEqual(to.getTime());
    expect(now.getTime()).toBeLessThan(to.getTime() + 60_000);
  });
});

describe("a reset", () => {
  test("is refused while anything is open that was set ahead of real time, and says what", async () => {
    const before = await holdFor(300 * DAY_S);
    await advance(integrator, DAY_S);
    const [one, other] = [await holdFor(DAY_S), await holdFor(DAY_S)];
    const { id: made } = await newCard(integrator);
    await expect(reset(integrator)).rejects.toMatchObject(inUse("2 authorizations and 1 card"));
    await reverse(integrator, one);
    await capture(integrator, other);
    await expect(reset(integrator)).rejects.toMatchObject(inUse("1 card"));
    await write(integrator, (ctx) => closeCard(ctx, made, { comment: null }));
    expect(await reset(integrator)).toMatchObject({ offsetS: 0, advancingTo: null });
    expect(await clockOf(integrator)).toMatchObject({ offsetS: 0, advancingTo: null });
    expect(await statusOf(before)).toBe("authorized");
    expect(await reset(integrator)).toMatchObject({ offsetS: 0 });
  });

  test("leaves what has expired as it is", async () => {
    const id = await holdFor(DAY_S);
    await advance(integrator, 2 * DAY_S);
    await reset(integrator);
    expect(await statusOf(id)).toBe("expired");
  });

  test("gives way to an authorization that was decided ahead of real time meanwhile", async () => {
    await advance(integrator, DAY_S);
    const held = await beginHold(integrator, cardId);
    await write(integrator, beginReset);
    const moving = completeMove(testDatabase().db, integrator.id);
    await expectStillMoving(integrator);
    const id = await held.commit();
    await moving;
    expect(await clockOf(integrator)).toMatchObject({ offsetS: DAY_S, advancingTo: null });
    expect(await statusOf(id)).toBe("authorized");
  });
});

describe("in live", () => {
  test("there is no clock, not even past the API", async () => {
    const live = await newIntegrator(0, "live");
    const refused = { code: "sandbox_only" };
    await expect(begin(live, { byS: 1 })).rejects.toMatchObject(refused);
    await expect(reset(live)).rejects.toMatchObject(refused);
    await expect(clockOf(live)).rejects.toMatchObject(refused);
  });

  test("the database refuses an offset", async () => {
    const { db } = testDatabase();
    const live = await newIntegrator(0, "live");
    for (const set of ["clock_offset_s = 1", "clock_target_s = 1", "clock_offset_s = -1"]) {
      const attempt = db.execute(
        sql`update integrators set ${sql.raw(set)}, clock_since = now() where id = ${live.id}`,
      );
      await expect(attempt).rejects.toMatchObject({ cause: { code: "23514" } });
    }
  });
});

test("the audit log says who moved the clock, and how far", async () => {
  await advance(integrator, DAY_S);
  await reset(integrator);
  const rows = await testDatabase().db.execute(sql`
    select action, before, after from audit_log
    where integrator_id = ${integrator.id} and action like 'sandbox.%' order by id`);
  expect(rows).toEqual([
    {
      action: "sandbox.clock-advanced",
      before: { offset_seconds: 0 },
      after: { offset_seconds: DAY_S },
    },
    {
      action: "sandbox.clock-reset",
      before: { offset_seconds: DAY_S },
      after: { offset_seconds: 0 },
    },
  ]);
});

test("every deadline of cards and their transactions is registered", () => {
  const registered = DEADLINES.map(({ column }) => column);
  const columns = [ledgerAccounts, cards, transactions].flatMap((table) =>
    Object.values(getTableColumns(table)),
  );
  const deadlines = columns.filter(({ name }) => /expire|_until|due/u.test(name));
  expect(registered).toEqual(expect.arrayContaining(deadlines));
  expect(deadlines).toHaveLength(registered.length);
});
