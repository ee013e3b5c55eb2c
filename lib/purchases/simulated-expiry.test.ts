import { describe, expect, test } from "vitest";
import { testDatabase } from "#test/database/database.ts";
import { freezeCard, newCard, newIntegrator, reading, write } from "#test/scene/fixtures.ts";
import type { TestIntegrator } from "#test/scene/fixtures.ts";
import {
  buy,
  capture,
  declineFor,
  eventsOf,
  expireNow,
  holdId,
  passDeadline,
  reverse,
  sweepExpired,
} from "#test/scene/spending.ts";
import { getCard } from "#lib/cards/card-reads.ts";
import { expireHolds } from "#lib/purchases/hold-expiry.ts";
import { getTransaction } from "#lib/transactions/transactions.ts";

/** Authorizations that expire early, because the sandbox was told so. */

type Subject = Awaited<ReturnType<typeof newHold>>;

async function newHold({ singleUse = false } = {}) {
  return holdOf(await newIntegrator(1_000), { singleUse });
}

/** An authorization for 100 on a new card of this integrator that has 500. */
async function holdOf(integrator: TestIntegrator, { singleUse = false } = {}) {
  const { id: cardId } = await newCard(integrator, 500, { singleUse });
  return { integrator, cardId, id: await holdId(integrator, { cardId, amount: 100 }) };
}

async function releasesOf({ integrator, cardId }: Subject) {
  const all = await eventsOf(integrator, cardId);
  return all.filter(
    ({ event, data }) => event === "card.reverse-transaction" && data["status"] === "expired",
  );
}

/** What an expiry leaves behind, without ids and times. */
async function toTrace(subject: Subject) {
  const { integrator, cardId, id } = subject;
  const { status, amount, holdAmount, holdCaptured, holdReleased, cardBalanceAfter, settledAt } =
    await getTransaction(reading(integrator), id);
  const { balance, held, status: cardStatus } = await getCard(reading(integrator), cardId);
  const events = await releasesOf(subject);
  return {
    row: { status, amount, holdAmount, holdCaptured, holdReleased, cardBalanceAfter },
    isSettled: settledAt !== null,
    card: { balance, held, cardStatus },
    events: events.map(({ event, data }) => ({
      event,
      data: {
        ...data,
        card_id: cardId === data["card_id"],
        reference: id === data["reference"],
        due_at: typeof data["due_at"],
      },
    })),
  };
}

const LIVES: readonly [string, { singleUse?: boolean }, (subject: Subject) => Promise<unknown>][] =
  [
    ["open as a whole", {}, () => Promise.resolve()],
    ["captured in part", {}, ({ integrator, id }) => capture(integrator, id, { amount: 30 })],
    ["reversed in part", {}, ({ integrator, id }) => reverse(integrator, id, 30)],
    [
      "captured in part on a single-use card, which closes",
      { singleUse: true },
      ({ integrator, id }) => capture(integrator, id, { amount: 30 }),
    ],
    [
      "on a frozen card",
      {},
      ({ integrator, cardId }) =>
        write(integrator, (ctx) => freezeCard(ctx, cardId, { reason: "lost", comment: null })),
    ],
  ];

test.each(LIVES)(
  "leaves the record, the event, and the card that the expiry run leaves: %s",
  async (_name, card, live) => {
    const [early, due] = [await newHold(card), await newHold(card)];
    await live(early);
    await live(due);
    const answered = await expireNow(early.integrator, early.id, early.cardId);
    await passDeadline(due.integrator, due.id);
    await sweepExpired(due.integrator, due.id);
    const trace = await toTrace(early);
    expect(trace).toEqual(await toTrace(due));
    expect(trace.events).toHaveLength(1);
    expect(trace.card.held).toBe(0);
    expect(answered).toEqual(await getTransaction(reading(early.integrator), early.id));
  },
);

test("its deadline becomes the moment of its expiry; one that has passed already stays", async () => {
  const early = await newHold();
  const { createdAt, holdExpiresAt } = await expireNow(early.integrator, early.id, early.cardId);
  expect(holdExpiresAt?.getTime()).toBeGreaterThanOrEqual(createdAt.getTime());
  expect(holdExpiresAt?.getTime()).toBeLessThan(createdAt.getTime() + 60_000);

  const { integrator, cardId } = early;
  const due = await holdId(integrator, { cardId, amount: 10, expiresInS: 0 });
  const before = await getTransaction(reading(integrator), due);
  expect(await expireNow(integrator, due, cardId)).toMatchObject({
    status: "expired",
    holdExpiresAt: before.holdExpiresAt,
  });
});

describe("an authorization does not expire early", () => {
  test("once it holds nothing: the refusal says what became of it", async () => {
    const integrator = await newIntegrator(1_000);
    const { id: cardId } = await newCard(integrator, 500);
    const [captured, reversed, expired] = [
      await holdId(integrator, { cardId, amount: 10 }),
      await holdId(integrator, { cardId, amount: 10 }),
      await holdId(integrator, { cardId, amount: 10 }),
    ];
    await capture(integrator, captured);
    await reverse(integrator, reversed);
    await expireNow(integrator, expired, cardId);
    const bought = await buy(integrator, { cardId, amount: 10 });
    const declined = await declineFor(integrator, "card_frozen", { cardId, amount: 10 });
    const before = await eventsOf(integrator, cardId);
    for (const [id, code] of [
      [captured, "authorization_captured"],
      [reversed, "authorization_reversed"],
      [expired, "authorization_expired"],
      [bought.transaction.id, "authorization_captured"],
      [declined.id, "authorization_declined"],
    ] as const) {
      await expect(expireNow(integrator, id, cardId)).rejects.toMatchObject({ code });
    }
    expect(await eventsOf(integrator, cardId)).toEqual(before);
  });

  test("through another card, or for another integrator: it is not found", async () => {
    const mine = await newHold();
    const theirs = await newHold();
    const { id: otherCard } = await newCard(mine.integrator);
    for (const [id, cardId, code] of [
      [mine.id, otherCard, "authorization_not_found"],
      [theirs.id, mine.cardId, "authorization_not_found"],
      [theirs.id, theirs.cardId, "card_not_found"],
      ["x", mine.cardId, "authorization_not_found"],
    ] as const) {
      await expect(expireNow(mine.integrator, id, cardId)).rejects.toMatchObject({ code });
    }
    for (const { integrator, cardId } of [mine, theirs]) {
      expect(await getCard(reading(integrator), cardId)).toMatchObject({ held: 100 });
    }
  });
});

describe("racing with another end of the authorization, one of them takes effect", () => {
  const ROUNDS = 12;

  test.each([
    [
      "a capture",
      ["card.transaction", "settled"],
      ({ integrator, id }: Subject) => capture(integrator, id),
    ],
    [
      "a reversal",
      ["card.reverse-transaction", "reversed"],
      ({ integrator, id }: Subject) => reverse(integrator, id),
    ],
    [
      "another early expiry",
      ["card.reverse-transaction", "expired"],
      ({ integrator, id, cardId }: Subject) => expireNow(integrator, id, cardId),
    ],
  ] as const)("%s", async (_name, event, act) => {
    const integrator = await newIntegrator(ROUNDS * 500);
    for (let round = 0; round < ROUNDS; round += 1) {
      const subject = await holdOf(integrator);
      const { cardId, id } = subject;
      const known = (await eventsOf(integrator, cardId)).length;
      const expire = () => expireNow(integrator, id, cardId);
      const end = () => act(subject);
      const settled = await Promise.allSettled(
        round % 2 === 0 ? [expire(), end()] : [end(), expire()],
      );
      // A reversal of what holds nothing anymore is answered with the authorization as it stands.
      const answers = settled.flatMap((each) => (each.status === "fulfilled" ? [each.value] : []));
      const row = await getTransaction(reading(integrator), id);
      expect(new Set(answers.map((each) => JSON.stringify(each)))).toEqual(
        new Set([JSON.stringify(row)]),
      );
      const ended = (await eventsOf(integrator, cardId)).slice(known);
      expect(ended.map((each) => [each.event, each.data["status"]])).toEqual([
        row.status === "expired" ? ["card.reverse-transaction", "expired"] : event,
      ]);
      expect(await getCard(reading(integrator), cardId)).toMatchObject({
        balance: row.status === "settled" ? 400 : 500,
        held: 0,
      });
    }
  });

  test("the expiry run", async () => {
    const integrator = await newIntegrator(ROUNDS * 500);
    for (let round = 0; round < ROUNDS; round += 1) {
      const subject = await holdOf(integrator);
      const { cardId, id } = subject;
      await passDeadline(integrator, id);
      await Promise.allSettled([
        expireNow(integrator, id, cardId),
        expireHolds(testDatabase().db),
        expireHolds(testDatabase().db),
      ]);
      await sweepExpired(integrator, id);
      expect(await releasesOf(subject)).toHaveLength(1);
      expect(await getCard(reading(integrator), cardId)).toMatchObject({ balance: 500, held: 0 });
    }
  });
});
