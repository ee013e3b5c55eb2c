import { beforeAll, describe, expect, test } from "vitest";
import { call } from "#test/scene/api-client.ts";
import type { ApiReply } from "#test/scene/api-client.ts";
import {
  approvalIn,
  asPerson,
  creditBy,
  decide,
  newTwoPeople,
  readBalances,
  reject,
} from "#test/scene/approvals.ts";
import type { TwoPeople } from "#test/scene/approvals.ts";
import { newCard, reading } from "#test/scene/fixtures.ts";
import { getFloat } from "#lib/funds/float.ts";

/** A move that reaches the threshold moves nothing until somebody else approves it, and then exactly once. */

const THRESHOLD = 1_000;

let mine: TwoPeople;

beforeAll(async () => {
  mine = await newTwoPeople(THRESHOLD);
});

/** Asks again while a busy server refuses, having done nothing. */
async function untilServed(ask: () => Promise<ApiReply>): Promise<ApiReply> {
  const reply = await ask();
  return reply.status === 503 ? untilServed(ask) : reply;
}

/** Their approvals name no card: the float, and two items. */
const OF_NO_CARD = new Set(["a top-up of the float", "a bulk job, by its sum"]);

describe("held up, then performed exactly as asked", () => {
  test.each<[string, number, (of: TwoPeople, cardId: string) => Promise<ApiReply>, object]>([
    [
      "a credit",
      0,
      ({ kim }, cardId) => creditBy(asPerson(kim), cardId, THRESHOLD),
      { card: THRESHOLD, status: "active", float: 100_000 - THRESHOLD },
    ],
    [
      "a debit",
      1_500,
      ({ kim }, card_id) =>
        call("PATCH /cards/debit/balance", { ...asPerson(kim), body: { card_id, amount: 1_200 } }),
      { card: 300, status: "active", float: 99_700 },
    ],
    [
      "a debit of everything",
      1_500,
      ({ kim }, card_id) =>
        call("PATCH /cards/debit/balance", { ...asPerson(kim), body: { card_id, amount: "all" } }),
      { card: 0, status: "active", float: 100_000 },
    ],
    [
      "the deprecated top-up",
      0,
      ({ kim }, card_id) =>
        call("PATCH /cards/top-up", { ...asPerson(kim), body: { card_id, amount: 2_000 } }),
      { card: 2_000, status: "active", float: 98_000 },
    ],
    [
      "a top-up of the float",
      0,
      ({ kim }) =>
        call("PATCH /card-integrators/top-up-float", { ...asPerson(kim), body: { amount: 5_000 } }),
      { card: 0, status: "active", float: 105_000 },
    ],
    [
      "a close with a balance",
      1_500,
      ({ kim }, id) => call(`POST /cards/${id}/close`, { ...asPerson(kim), body: {} }),
      { card: 0, status: "closed", float: 100_000 },
    ],
    [
      "a replacement of a card with a balance",
      1_500,
      ({ kim }, id) =>
        call(`POST /cards/${id}/replace`, { ...asPerson(kim), body: { move_balance: true } }),
      { card: 0, status: "closed", float: 98_500 },
    ],
    [
      "a bulk job, by its sum",
      0,
      ({ kim }, card_id) =>
        call("POST /bulk", {
          ...asPerson(kim),
          body: {
            operation: "credit",
            items: [
              { card_id, amount: 600 },
              { card_id, amount: 400 },
            ],
          },
        }),
      { card: 1_000, status: "active", float: 99_000 },
    ],
    [
      "a bulk job that closes what a filter matches",
      1_500,
      ({ kim }) =>
        call("POST /bulk", {
          ...asPerson(kim),
          body: { operation: "close", filter: { status: "active" } },
        }),
      { card: 0, status: "closed", float: 100_000 },
    ],
  ])("%s", async (...[what, balance, ask, after]) => {
    const of = await newTwoPeople(THRESHOLD);
    const { id } = await newCard(of, balance);
    const before = await readBalances(of, id);
    const approval = approvalIn(await ask(of, id));
    expect(approval.card_id).toBe(OF_NO_CARD.has(what) ? null : id);
    expect(await readBalances(of, id)).toEqual(before);
    expect(await decide(of.kim, approval.id)).toMatchObject({ status: 403 });
    expect(await readBalances(of, id)).toEqual(before);
    const approved = await decide(of.noor, approval.id);
    expect(approved).toMatchObject({ status: 200, json: { data: { status: "approved" } } });
    expect(await readBalances(of, id)).toEqual(after);
    expect(await decide(of.ada, approval.id)).toMatchObject({
      status: 409,
      json: { code: "approval_decided" },
    });
    expect(await readBalances(of, id)).toEqual(after);
  });

  test("what is below the threshold moves at once, and so does what closes an empty card", async () => {
    const of = await newTwoPeople(THRESHOLD);
    const { id } = await newCard(of);
    expect((await creditBy(asPerson(of.kim), id, THRESHOLD - 1)).status).toBe(200);
    const empty = await newCard(of);
    expect(
      (await call(`POST /cards/${empty.id}/close`, { ...asPerson(of.kim), body: {} })).status,
    ).toBe(200);
  });
});

describe("by nobody alone", () => {
  test("not in parts: what a person has moved in 24 hours counts, over all cards, closings, and jobs", async () => {
    const of = await newTwoPeople(THRESHOLD);
    const { id } = await newCard(of, 250);
    const items = [{ card_id: id, amount: 250 }];
    const parts = [
      await creditBy(asPerson(of.kim), (await newCard(of)).id, 300),
      await call("POST /bulk", { ...asPerson(of.kim), body: { operation: "debit", items } }),
      await call(`POST /cards/${(await newCard(of, 200)).id}/close`, {
        ...asPerson(of.kim),
        body: {},
      }),
      await creditBy(asPerson(of.kim), id, 249),
    ];
    expect(parts.map(({ status, text }) => `${status} ${text.includes("approval")}`)).toEqual([
      "200 false",
      "202 false",
      "200 false",
      "200 false",
    ]);
    approvalIn(await creditBy(asPerson(of.kim), id, 1));
    expect((await creditBy(asPerson(of.ada), id, 1)).status).toBe(200);
  });

  test("not with a hundred cards just below the threshold, one after another or at once", async () => {
    const of = await newTwoPeople(THRESHOLD);
    const cards = await Promise.all(Array.from({ length: 20 }, () => newCard(of)));
    const replies = await Promise.all(
      Array.from({ length: 100 }, (_, at) =>
        untilServed(() => creditBy(asPerson(of.kim), cards[at % 20]?.id ?? "", 999)),
      ),
    );
    const count = (status: number) => replies.filter((reply) => reply.status === status).length;
    expect([count(200), count(202)]).toEqual([1, 99]);
    expect((await getFloat(reading(of))).balance).toBe(99_001);
  });

  test("not through a second session", async () => {
    const { id } = await newCard(mine);
    const approval = approvalIn(await creditBy(asPerson(mine.ada), id, THRESHOLD));
    const headers = await mine.ada.signInAgain();
    expect(await decide({ headers }, approval.id)).toMatchObject({
      status: 403,
      json: { code: "approval_own" },
    });
    expect(await reject({ headers }, approval.id)).toMatchObject({
      status: 403,
      json: { code: "approval_own" },
    });
    expect(await readBalances(mine, id)).toMatchObject({ card: 0 });
  });

  test("not with an API key that they made after the rule: its moves are theirs", async () => {
    const of = await newTwoPeople(THRESHOLD);
    const made = await call("POST /api-keys", {
      ...asPerson(of.ada),
      body: { name: "Mine", scopes: ["funds:write"] },
    });
    const { api_key: key } = made.json as { api_key: string };
    const { id } = await newCard(of);
    const approval = approvalIn(await creditBy({ key }, id, THRESHOLD));
    expect((await decide(of.ada, approval.id)).status).toBe(403);
    expect((await creditBy({ key }, id, 600)).status).toBe(200);
    approvalIn(await creditBy(asPerson(of.ada), id, 600));
    expect((await decide(of.noor, approval.id)).status).toBe(200);
    expect(await readBalances(of, id)).toMatchObject({ card: 1_600 });
  });

  test("an API key older than the rule moves on, unless the rule is for keys", async () => {
    const { id } = await newCard(mine);
    expect((await creditBy({ key: mine.apiKey }, id, 5_000)).status).toBe(200);
    const strict = await newTwoPeople(THRESHOLD, { forKeys: true });
    const card = await newCard(strict);
    const approval = approvalIn(await creditBy({ key: strict.apiKey }, card.id, 5_000));
    expect((await decide(strict.noor, approval.id)).status).toBe(200);
    expect(await readBalances(strict, card.id)).toMatchObject({ card: 5_000 });
  });

  test("not twice by two approvers at once", async () => {
    for (let round = 0; round < 5; round += 1) {
      const { id } = await newCard(mine);
      const approval = approvalIn(await creditBy(asPerson(mine.kim), id, THRESHOLD));
      const replies = await Promise.all([
        decide(mine.ada, approval.id),
        round % 2 ? reject(mine.noor, approval.id) : decide(mine.noor, approval.id),
      ]);
      expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200, 409]));
      const isApproved = replies.some(({ text }) => text.includes('"status":"approved"'));
      expect(await readBalances(mine, id)).toMatchObject({ card: isApproved ? THRESHOLD : 0 });
    }
  });
});
