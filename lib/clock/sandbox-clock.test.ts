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
  expiriesOf,
  HOUR_S,
  reset,
} from "#test/database/clock.ts";
import { testDatabase } from "#test/database/database.ts";
import { freezeCard, move, newCard, newIntegrator, reading, write } from "#test/scene/fixtures.ts";
import {
  buy,
  capture,
  expireNow,
  hold,
  holdId,
  reverse,
  sweepExpired,
} from "#test/scene/spending.ts";
import { getCard } from "#lib/cards/card-reads.ts";
import { closeCard } from "#lib/funds/close-card.ts";
import { getFloat } from "#lib/funds/float.ts";
import { completeMove } from "#lib/clock/clock-move.ts";
import { beginReset } from "#lib/clock/clock-reset.ts";
import { sweepDeadlines } from "#lib/clock/deadline-sweep.ts";
import { expireHolds } from "#lib/purchases/hold-expiry.ts";
import { getTransaction } from "#lib/transactions/transactions.ts";

beforeEach(() => openCardAccount(10_000, 5_000));

async function heldOf() {
  return (await getCard(reading(integrator), cardId)).held;
}

describe("an advance", () => {
  test("works off what is due on the way once, in the order of its deadlines, and says when it was due", async () => {
    const days = [3, 1, 2, 10, 1];
    const ids: string[] = [];
    for (const day of days) {
      ids.push(await holdFor(day * DAY_S));
    }
    const [third, first, second, late, sameDay] = ids;
    expect(await advance(integrator, 5 * DAY_S)).toMatchObject({
      offsetS: 5 * DAY_S,
      advancingTo: null,
    });
    const expired = await expiriesOf(integrator);
    expect(expired.map(({ reference }) => reference)).toEqual([first, sameDay, second, third]);
    for (const { reference, dueAt } of expired) {
      const row = await getTransaction(reading(integrator), reference);
      expect(row).toMatchObject({ status: "expired", holdExpiresAt: new Date(dueAt) });
    }
    expect(await heldOf()).toBe(1);
    await advance(integrator, 1);
    expect(await expiriesOf(integrator)).toEqual(expired);
    await advance(integrator, 5 * DAY_S);
    expect(await statusOf(late ?? "")).toBe("expired");
    expect(await heldOf()).toBe(0);
  });

  test("takes as many transactions as it needs", async () => {
    const due: { id: string; at: number }[] = [];
    for (let index = 0; index < 230; index += 1) {
      const expiresInS = ((index * 7_919) % 230) * HOUR_S + 60;
      due.push({ id: await holdFor(expiresInS), at: expiresInS });
    }
    await advance(integrator, 30 * DAY_S);
    const expected = due.toSorted((a, b) => a.at - b.at).map(({ id }) => id);
    expect((await expiriesOf(integrator)).map(({ reference }) => reference)).toEqual(expected);
    expect(await heldOf()).toBe(0);
  }, 60_000);

  test("closes a single-use card whose rest expires", async () => {
    const { id } = await newCard(integrator, 100, { singleUse: true });
    const held = await holdId(integrator, { cardId: id, amount: 50 });
    await capture(integrator, held, { amount: 30 });
    await advance(integrator, 8 * DAY_S);
    expect(await getCard(reading(integrator), id)).toMatchObject({ status: "closed", balance: 0 });
  });

  test("gives what expires on a closed card to the float", async () => {
    const before = await getFloat(reading(integrator));
    const { id } = await newCard(integrator, 100);
    await holdId(integrator, { cardId: id, amount: 50 });
    await write(integrator, (ctx) => closeCard(ctx, id, { comment: null }));
    await advance(integrator, 8 * DAY_S);
    expect(await getCard(reading(integrator), id)).toMatchObject({ balance: 0, held: 0 });
    expect(await getFloat(reading(integrator))).toMatchObject({ balance: before.balance });
  });

  test("moves no other integrator's deadlines", async () => {
    const other = await newIntegrator(1_000);
    const theirs = await newCard(other, 500);
    const id = await holdId(other, { cardId: theirs.id, amount: 10, expiresInS: DAY_S });
    await advance(integrator, 300 * DAY_S);
    await sweepDeadlines(testDatabase().db);
    expect(await statusOf(id, other)).toBe("authorized");
    expect(await clockOf(other)).toMatchObject({ offsetS: 0, advancingTo: null });
    expect((await buy(other, { cardId: theirs.id, amount: 1 })).transaction.status).toBe("settled");
  });

  test("happens once when several are requested at the same time; the others are refused", async () => {
    const outcomes = await Promise.allSettled(
      [1, 2, 3, 4, 5].map((byS) => begin(integrator, { byS })),
    );
    const refused = outcomes.filter((outcome) => outcome.status === "rejected");
    expect(refused).toHaveLength(4);
    for (const { reason } of refused) {
      expect(reason).toMatchObject({ code: "clock_advancing" });
    }
    await completeMove(testDatabase().db, integrator.id);
    const { offsetS } = await clockOf(integrator);
    const [done] = outcomes.flatMap((outcome) =>
      outcome.status === "fulfilled" ? [outcome.value.offsetS] : [],
    );
    expect(offsetS).toBe(done);
  });

  test("waits for what was decided by the old time", async () => {
    const held = await beginHold(integrator, cardId);
    await begin(integrator, { byS: 8 * DAY_S });
    const moving = completeMove(testDatabase().db, integrator.id);
    await expectStillMoving(integrator);
    const id = await held.commit();
    await moving;
    expect(await statusOf(id)).toBe("expired");
  });
});

describe("while the clock advances", () => {
  test("no card and no fund changes, and afterward everything does", async () => {
    const id = await holdFor(DAY_S);
    const live = await holdFor(20 * DAY_S);
    const { id: empty } = await newCard(integrator);
    await begin(integrator, { byS: 2 * DAY_S });
    const acts = [
      () => hold(integrator, { cardId, amount: 1 }),
      () => buy(integrator, { cardId, amount: 1 }),
      () => capture(integrator, live),
      () => reverse(integrator, live),
      () => expireNow(integrator, live, cardId),
      () => write(integrator, (ctx) => freezeCard(ctx, cardId, { reason: "lost", comment: null })),
      () => write(integrator, (ctx) => closeCard(ctx, empty, { comment: null })),
      () => newCard(integrator),
      () => begin(integrator, { byS: 1 }),
      () => write(integrator, beginReset),
    ];
    for (const act of acts) {
      await expect(act()).rejects.toMatchObject({ code: "clock_advancing" });
    }
    expect(await move(integrator, { kind: "credit", cardId, amount: 1 })).toMatchObject({
      refusal: { code: "clock_advancing" },
    });
    expect(await clockOf(integrator)).toMatchObject({ offsetS: 0, advancingTo: expect.any(Date) });
    expect(await statusOf(id)).toBe("authorized");
    await completeMove(testDatabase().db, integrator.id);
    expect(await statusOf(id)).toBe("expired");
    expect(await statusOf(await capture(integrator, live).then((row) => row.id))).toBe("settled");
  });

  test("the expiry run leaves the integrator to the advance", async () => {
    const id = await holdFor(0);
    await begin(integrator, { byS: DAY_S });
    await expireHolds(testDatabase().db);
    expect(await statusOf(id)).toBe("authorized");
    await completeMove(testDatabase().db, integrator.id);
    expect(await statusOf(id)).toBe("expired");
  });

  test("any server completes what another one has begun, and several do so once", async () => {
    for (let index = 0; index < 120; index += 1) {
      await holdFor(HOUR_S + index);
    }
    await begin(integrator, { byS: DAY_S });
    const { db } = testDatabase();
    await Promise.all([
      sweepDeadlines(db),
      ...Array.from({ length: 3 }, () => completeMove(db, integrator.id)),
    ]);
    expect(await clockOf(integrator)).toMatchObject({ offsetS: DAY_S, advancingTo: null });
    const expired = await expiriesOf(integrator);
    expect(expired.map(({ dueAt }) => dueAt)).toEqual(expired.map(({ dueAt }) => dueAt).toSorted());
    expect(new Set(expired.map(({ reference }) => reference)).size).toBe(120);
    expect(expired).toHaveLength(120);
  }, 60_000);
});

describe("ahead of real time", () => {
  test("deadlines are set by the clock, and records keep real time", async () => {
    const { now } = await advance(integrator, 30 * DAY_S);
    const row = await getTransaction(reading(integrator), await holdFor(DAY_S));
    expect(row.createdAt.getTime()).toBeLessThan(now.getTime() - 29 * DAY_S * 1_000);
    const heldForMs = (row.holdExpiresAt?.getTime() ?? 0) - row.createdAt.getTime();
    expect(heldForMs).toBe(31 * DAY_S * 1_000);
    const card = await newCard(integrator);
    const validForMs = card.expiresAt.getTime() - card.createdAt.getTime();
    expect(Math.round(validForMs / 1_000 / DAY_S)).toBe(365 + 30);
  });

  test("a card expires by the clock", async () => {
    await advance(integrator, 364 * DAY_S);
    expect((await buy(integrator, { cardId, amount: 1 })).transaction.status).toBe("settled");
    await advance(integrator, 2 * DAY_S);
    expect((await buy(integrator, { cardId, amount: 1 })).transaction).toMatchObject({
      status: "declined",
      declineReason: "card_expired",
    });
    expect((await hold(integrator, { cardId, amount: 1 })).transaction).toMatchObject({
      declineReason: "card_expired",
    });
    expect(await move(integrator, { kind: "credit", cardId, amount: 1 })).toMatchObject({
      refusal: { code: "card_expired" },
    });
    await reset(integrator);
    expect((await buy(integrator, { cardId, amount: 1 })).transaction.status).toBe("settled");
  });

  test("the expiry run releases what expires by the clock", async () => {
    await advance(integrator, DAY_S);
    const id = await holdFor(0);
    const live = await holdFor(HOUR_S);
    await sweepExpired(integrator, id);
    expect([await statusOf(id), await statusOf(live)]).toEqual(["expired", "authorized"]);
  });

  test("an early expiry moves the deadline to what the clock shows", async () => {
    const { now } = await advance(integrator, DAY_S);
    const row = await expireNow(integrator, await holdFor(HOUR_S), cardId);
    const afterMs = (row.holdExpiresAt?.getTime() ?? 0) - now.getTime();
    expect(afterMs).toBeGreaterThanOrEqual(0);
    expect(afterMs).toBeLessThan(60_000);
  });
});
