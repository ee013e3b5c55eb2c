import { and, eq, sql } from "drizzle-orm";
import { beforeEach, describe, expect, test } from "vitest";
import { advance, begin, DAY_S, HOUR_S, reset } from "#test/database/clock.ts";
import { testDatabase } from "#test/database/database.ts";
import { ask, cardId, holdFor, integrator, openCardAccount } from "#test/scene/card-account.ts";
import {
  freezeCard,
  move,
  newCard,
  newIntegrator,
  reading,
  unfreezeCard,
  write,
} from "#test/scene/fixtures.ts";
import type { TestIntegrator } from "#test/scene/fixtures.ts";
import { readRecorded } from "#test/scene/recorded-events.ts";
import { buy, hold, increment, post } from "#test/scene/spending.ts";
import { getCard, listCards } from "#lib/cards/card-reads.ts";
import { isDomainError } from "#lib/base/errors.ts";
import { completeMove } from "#lib/clock/clock-move.ts";
import { endFreezes } from "#lib/clock/internal/freeze-ends.ts";
import { listCardActivity } from "#lib/transactions/card-activity.ts";
import { events } from "#db/schema/events.ts";

/** No sweeper runs unless a test calls it. */
beforeEach(() => openCardAccount(100_000, 50_000));

const inMs = (ms: number) => new Date(Date.now() + ms);
const inDays = (days: number) => inMs(days * DAY_S * 1_000);

function freezeUntil(
  until: Date | null,
  level: "cardholder" | "staff" = "cardholder",
  id = cardId,
) {
  return write(integrator, (ctx) =>
    freezeCard(ctx, id, { level, reason: "lost", comment: "Here", until }),
  );
}

/** Waits, by the database's clock, until a time has come. */
async function reach(time: Date): Promise<void> {
  await testDatabase().db.execute(
    sql`select pg_sleep(greatest(0, extract(epoch from ${time.toISOString()}::timestamptz - clock_timestamp())))`,
  );
}

/**
 * Has a freeze end soon, also one that stands. On a busy machine it may have ended when this returns: what must happen before
 * its end is done first, under a freeze that ends later.
 */
async function endSoon(level?: "cardholder" | "staff", id = cardId): Promise<Date> {
  for (let ms = 100; ; ms *= 2) {
    const until = inMs(ms);
    try {
      await freezeUntil(until, level, id);
      return until;
    } catch (error) {
      // It took longer than that to get there.
      if (!isDomainError(error) || error.code !== "validation_failed") {
        throw error;
      }
    }
  }
}

/** What the card's lifts have left in its history, oldest first. */
async function liftsOf(id = cardId, of: TestIntegrator = integrator) {
  const { rows } = await listCardActivity(reading(of), id, { limit: 99 });
  return rows
    .flatMap((row) => (row.type === "state_change" && row.stateChange.lifted ? [row] : []))
    .toReversed();
}

function unfrozenOf(id = cardId) {
  return readRecorded(and(eq(events.subjectId, id), eq(events.event, "card.unfrozen")));
}

describe("at the end of a freeze", () => {
  test("whoever locks the card first lifts it, as the system, dated at the lock", async () => {
    await freezeUntil(inDays(1));
    expect((await hold(integrator, { cardId, amount: 1 })).transaction.declineReason).toBe(
      "card_frozen",
    );
    const until = await endSoon();
    await reach(until);
    const { transaction } = await hold(integrator, { cardId, amount: 1 });
    expect(transaction).toMatchObject({ status: "authorized" });
    const [lift, ...others] = await liftsOf();
    expect(others).toEqual([]);
    expect(lift).toMatchObject({
      actor: { type: "system", name: "Automatic expiry" },
      createdAt: transaction.createdAt,
      stateChange: { from: "frozen", to: "active", level: "cardholder", until },
    });
    expect(await unfrozenOf()).toMatchObject([
      { data: { status: "active", status_version: 4, due_at: until.toISOString(), freezes: [] } },
    ]);
    expect(await getCard(reading(integrator), cardId)).toMatchObject({
      status: "active",
      statusVersion: 4,
    });
  });

  test("every other way to the card does so, too", async () => {
    const ways: ((id: string) => Promise<unknown>)[] = [
      (id) => buy(integrator, { cardId: id, amount: 1 }),
      (id) => post(integrator, { cardId: id, amount: 1 }),
      (id) => move(integrator, { kind: "credit", cardId: id, amount: 1 }),
      (id) => move(integrator, { kind: "debit", cardId: id, amount: 1 }),
      (id) => ask(`PATCH /cards/${id}`, { metadata: { a: "b" } }),
      (id) => ask(`PATCH /cards/${id}/freeze`, { level: "staff" }),
      (id) => ask(`PATCH /cards/${id}/unfreeze`),
      (id) => ask(`POST /cards/${id}/close`),
    ];
    for (const way of ways) {
      const { id } = await newCard(integrator, 100);
      const until = await endSoon("cardholder", id);
      await reach(until);
      await way(id);
      expect(await liftsOf(id)).toMatchObject([
        { actor: { type: "system" }, stateChange: { until } },
      ]);
    }
  });

  test("what the answer to a credit says of the card is true", async () => {
    await reach(await endSoon());
    expect(await move(integrator, { kind: "credit", cardId, amount: 1 })).toMatchObject({
      done: { card: { status: "active", statusVersion: 3, freezes: [] } },
    });
  });

  test("a capture is paid from the whole card again, and an increment approved", async () => {
    const { transaction } = await hold(integrator, { cardId, amount: 10 });
    await freezeUntil(inDays(1));
    expect((await increment(integrator, transaction.id, 1)).transaction.declineReason).toBe(
      "card_frozen",
    );
    await reach(await endSoon());
    expect((await increment(integrator, transaction.id, 1)).transaction).toMatchObject({
      amount: 11,
    });
  });

  test("a freeze of another level still stands, and nothing is sent until it ends", async () => {
    await freezeUntil(inDays(1), "staff");
    await reach(await endSoon());
    expect((await hold(integrator, { cardId, amount: 1 })).transaction.declineReason).toBe(
      "card_frozen",
    );
    expect(await unfrozenOf()).toEqual([]);
    expect(await getCard(reading(integrator), cardId)).toMatchObject({
      status: "frozen",
      statusVersion: 4,
      freezes: [{ level: "staff" }],
    });
    await reach(await endSoon("staff"));
    expect((await hold(integrator, { cardId, amount: 1 })).transaction.status).toBe("authorized");
    expect((await liftsOf()).map(({ stateChange }) => stateChange)).toMatchObject([
      { from: "frozen", to: "frozen", level: "cardholder" },
      { from: "frozen", to: "active", level: "staff" },
    ]);
    expect(await unfrozenOf()).toHaveLength(1);
  });

  test("reading the card says so before anybody has written it, with the version that it will have", async () => {
    await reach(await endSoon());
    const { json } = await ask(`GET /cards/${cardId}`);
    expect(json).toMatchObject({ status: "active", status_version: 3, freeze: null, freezes: [] });
    expect(await liftsOf()).toEqual([]);
    expect(await ask(`PATCH /cards/${cardId}/freeze`, { status_version: 3 })).toMatchObject({
      status: 200,
      json: { status: "frozen", status_version: 4 },
    });
    expect(await liftsOf()).toHaveLength(1);
  });

  test("the sweep lifts it if nobody else does, once, and lists say so then", async () => {
    const { id: other } = await newCard(integrator);
    await freezeUntil(null, "staff", other);
    await reach(await endSoon());
    await reach(await endSoon("cardholder", other));
    const { db } = testDatabase();
    await Promise.all([endFreezes(db), endFreezes(db), endFreezes(db)]);
    expect([await liftsOf(), await liftsOf(other)]).toMatchObject([
      [{ cardId }],
      [{ cardId: other }],
    ]);
    const { rows } = await listCards(reading(integrator), { statuses: ["frozen"], limit: 9 });
    expect(rows).toMatchObject([{ id: other, freezes: [{ level: "staff" }] }]);
  });

  test("a freeze without an end, and one that was given none, stay", async () => {
    await freezeUntil(inDays(1));
    await freezeUntil(null);
    await advance(integrator, 2 * DAY_S);
    await endFreezes(testDatabase().db);
    expect((await hold(integrator, { cardId, amount: 1 })).transaction.declineReason).toBe(
      "card_frozen",
    );
    expect(await liftsOf()).toEqual([]);
  });
});

test("of a thousand authorizations around the end, none is approved before it and none declined after", async () => {
  const { id } = await newCard(integrator, 20_000);
  const until = inMs(2_500);
  await freezeUntil(until, "cardholder", id);
  const decided: { at: Date; declineReason: string | null }[] = [];
  const spend = async () => {
    while (decided.length < 1_000 || Date.now() < until.getTime() + 500) {
      const { transaction } = await hold(integrator, { cardId: id, amount: 1 });
      decided.push({ at: transaction.createdAt, declineReason: transaction.declineReason });
    }
  };
  await Promise.all(Array.from({ length: 12 }, spend));
  const before = decided.filter(({ at }) => at < until);
  const after = decided.filter(({ at }) => at >= until);
  expect(new Set(before.map(({ declineReason }) => declineReason))).toEqual(
    new Set(["card_frozen"]),
  );
  expect(new Set(after.map(({ declineReason }) => declineReason))).toEqual(new Set([null]));
  const lifts = await testDatabase().db.execute(sql`
    select from card_state_changes where integrator_id = ${integrator.id} and card_id = ${id} and lifted`);
  expect(lifts).toHaveLength(1);
}, 120_000);

describe("by the clock of a sandbox", () => {
  test("an advance lifts what ends on the way, in the order of all deadlines", async () => {
    await holdFor(3 * DAY_S);
    await freezeUntil(inDays(2));
    const { id: other } = await newCard(integrator);
    await freezeUntil(inDays(4), "staff", other);
    await freezeUntil(inDays(9), "cardholder", other);
    await advance(integrator, 5 * DAY_S);
    const recorded = await testDatabase().db.execute<{ event: string }>(sql`
      select event from events where integrator_id = ${integrator.id}
        and event in ('card.unfrozen', 'card.reverse-transaction') order by id`);
    expect(recorded.map(({ event }) => event)).toEqual([
      "card.unfrozen",
      "card.reverse-transaction",
    ]);
    expect(await getCard(reading(integrator), other)).toMatchObject({
      status: "frozen",
      freezes: [{ level: "cardholder" }],
    });
    await advance(integrator, 5 * DAY_S);
    expect(await liftsOf(other)).toHaveLength(2);
  });

  test("an end is set ahead by it, and comes when it says so", async () => {
    await advance(integrator, 10 * DAY_S);
    const refused = ask(`PATCH /cards/${cardId}/freeze`, { until: inDays(9).toISOString() });
    expect(await refused).toMatchObject({
      status: 422,
      json: { errors: { until: [/later than/u] } },
    });
    await freezeUntil(new Date(inDays(10).getTime() + 60_000));
    expect((await hold(integrator, { cardId, amount: 1 })).transaction.declineReason).toBe(
      "card_frozen",
    );
    await testDatabase().db.execute(
      sql`update integrators set clock_offset_s = clock_offset_s + 61 where id = ${integrator.id}`,
    );
    expect(await getCard(reading(integrator), cardId)).toMatchObject({ status: "active" });
    await endFreezes(testDatabase().db);
    expect(await liftsOf()).toHaveLength(1);
  });

  test("while it advances, nothing is lifted, and it is not set back while an end is ahead", async () => {
    await advance(integrator, DAY_S);
    await freezeUntil(inDays(2));
    await expect(reset(integrator)).rejects.toMatchObject({
      code: "clock_in_use",
      detail: expect.stringContaining("deadlines of 1 freeze were set"),
    });
    await begin(integrator, { byS: 2 * DAY_S });
    await endFreezes(testDatabase().db);
    expect(await liftsOf()).toEqual([]);
    await completeMove(testDatabase().db, integrator.id);
    expect(await liftsOf()).toHaveLength(1);
    await reset(integrator);
  });

  test("nobody else's freeze ends", async () => {
    const other = await newIntegrator();
    const { id } = await newCard(other);
    await write(other, (ctx) => freezeCard(ctx, id, { reason: null, until: inMs(HOUR_S * 1_000) }));
    await advance(integrator, 2 * HOUR_S);
    await endFreezes(testDatabase().db);
    expect(await liftsOf(id, other)).toEqual([]);
    await write(other, (ctx) => unfreezeCard(ctx, id, { comment: null }));
  });
});
