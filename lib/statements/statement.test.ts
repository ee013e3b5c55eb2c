import { beforeAll, describe, expect, test, vi } from "vitest";
import { move, newCard, newIntegrator, reading, write } from "#test/scene/fixtures.ts";
import type { TestIntegrator } from "#test/scene/fixtures.ts";
import { buy, hold, post, refundPurchase } from "#test/scene/spending.ts";
import { closeCard } from "#lib/funds/close-card.ts";
import { getStatement } from "#lib/statements/statement.ts";
import type { StatementQuery } from "#lib/statements/statement.ts";
import { rollUp } from "#lib/overview/rollup.ts";
import { testDatabase } from "#test/database/database.ts";

/** What statements say of movements of every kind. How their figures follow from any books: `statement-sums.test.ts`. */

let integrator: TestIntegrator;
let cardId: string;
let last4: string;
/** Between the credits and everything else. */
let noon: Date;

beforeAll(async () => {
  integrator = await newIntegrator(10_000);
  ({ id: cardId, last4 } = await newCard(integrator));
  await move(integrator, { kind: "credit", cardId, amount: 3_000, narrative: "Travel" });
  await nextMoment();
  noon = new Date();
  await nextMoment();
  const merchant = { name: "Café Ada", mcc: null, city: null, country: null };
  await buy(integrator, { cardId, amount: 700, merchant });
  await hold(integrator, { cardId, amount: 100 });
  await hold(integrator, { cardId, amount: 9_999_999 });
  const { id } = await post(integrator, { cardId, amount: 5_000 });
  await refundPurchase(integrator, { cardId, transactionId: id, amount: 4_000 });
  await move(integrator, { kind: "debit", cardId, amount: 200 });
  await write(integrator, (ctx) => closeCard(ctx, cardId, { comment: null }));
});

/** Ids encode milliseconds. */
async function nextMoment(): Promise<void> {
  const begun = Date.now();
  await vi.waitUntil(() => Date.now() > begun, { interval: 1 });
}

const read = (query: Partial<StatementQuery> = {}, by = integrator) =>
  getStatement(reading(by), { cardId: null, period: {}, limit: 50, ...query });

/** At a moment, nothing moves. */
const toNothing = (balance: number) => ({ lines: [], totals: [], balances: [balance, balance] });

const isFinal = async (period: StatementQuery["period"]) =>
  (await read({ period })).statement.isFinal;

const toTold = ({ statement, page }: Awaited<ReturnType<typeof read>>) => ({
  lines: page.rows.map(({ description, net, balanceAfter }) => [description, net, balanceAfter]),
  totals: statement.totals.map(({ name, net }) => [name, net]),
  balances: [statement.opening, statement.closing],
});

const toFloat = () => ({
  lines: [
    ["Top-up", 10_000, 10_000],
    [`Funded card •••• ${last4}`, -3_000, 7_000],
    [`Covered purchase of card •••• ${last4}`, -2_800, 4_200],
    [`Cover returned from card •••• ${last4}`, 2_800, 7_000],
    [`Returned from card •••• ${last4}`, 200, 7_200],
    [`Returned from closed card •••• ${last4}`, 1_000, 8_200],
  ],
  totals: [
    ["Top-ups", 10_000],
    ["Funded cards", -3_000],
    ["Returned from cards", 200],
    ["Returned from closed cards", 1_000],
    ["Covered purchases", -2_800],
    ["Cover returned from cards", 2_800],
  ],
  balances: [0, 8_200],
});

const CARD = {
  lines: [
    ["Funded from the float", 3_000, 3_000],
    ["Purchase: Café Ada", -700, 2_300],
    ["Covered by the float", 2_800, 5_100],
    ["Purchase", -5_000, 100],
    ["Refund", 4_000, 4_100],
    ["Cover returned to the float", -2_800, 1_300],
    ["Returned to the float", -200, 1_100],
    ["Returned to the float after closing", -1_000, 100],
  ],
  totals: [
    ["Funded from the float", 3_000],
    ["Purchases", -5_700],
    ["Refunds", 4_000],
    ["Covered by the float", 2_800],
    ["Cover returned to the float", -2_800],
    ["Returned to the float", -200],
    ["Returned to the float after closing", -1_000],
  ],
  balances: [0, 100],
};

describe("the current month, before and after its sums are rolled up", () => {
  test.each([false, true])("%s", async (isRolledUp) => {
    if (isRolledUp) {
      await rollUp(testDatabase().db);
    }
    expect(toTold(await read())).toEqual(toFloat());
    expect(toTold(await read({ cardId }))).toEqual(CARD);
  });
});

test("a line names its card and its transaction, and when it posted", async () => {
  const { page } = await read();
  const [topUp, credit] = page.rows;
  expect(topUp).toMatchObject({ card: null, transactionId: null, narrative: null });
  expect(credit).toMatchObject({ card: { id: cardId, last4 }, narrative: "Travel" });
  const { page: ofCard } = await read({ cardId });
  expect(ofCard.rows[0]).toMatchObject({
    transactionId: credit?.transactionId,
    transferId: credit?.transferId,
    postedAt: credit?.postedAt,
  });
});

test("at a moment, both balances are the one that the account had, and there are no lines", async () => {
  for (const [at, float, card] of [
    [new Date(0), 0, 0],
    [noon, 7_000, 3_000],
    [new Date(Date.now() + 1_000), 8_200, 100],
  ] as const) {
    expect(toTold(await read({ period: { at } }))).toEqual(toNothing(float));
    expect(toTold(await read({ period: { at }, cardId }))).toEqual(toNothing(card));
  }
});

test("a period is final once nothing can post in it any more", async () => {
  expect(await isFinal({})).toBe(false);
  expect(await isFinal({ at: new Date() })).toBe(false);
  expect(await isFinal({ month: "2020-01" })).toBe(true);
});

test("its pages together are the statement, in the order of the account's versions", async () => {
  for (const query of [{}, { cardId }]) {
    const whole = await read(query);
    const paged: number[] = [];
    let cursor: string | undefined;
    do {
      const { page, statement } = await getStatement(reading(integrator), {
        cardId: null,
        period: {},
        limit: 3,
        cursor,
        ...query,
      });
      expect(statement).toEqual(whole.statement);
      paged.push(...page.rows.map(({ version }) => version));
      cursor = page.nextCursor ?? undefined;
    } while (cursor !== undefined);
    expect(paged).toEqual(whole.page.rows.map((_, index) => index + 1));
  }
});

test("another integrator's card is not found", async () => {
  const stranger = await newIntegrator(100);
  await expect(read({ cardId }, stranger)).rejects.toMatchObject({ code: "card_not_found" });
  expect((await read({}, stranger)).statement).toMatchObject({ opening: 0, closing: 100 });
});

test("a purchase that is owed and its repayment are on the statements that they concern", async () => {
  const poor = await newIntegrator(100);
  const card = await newCard(poor, 100);
  await post(poor, { cardId: card.id, amount: 150 });
  await move(poor, { kind: "top-up", amount: 80 });
  expect(toTold(await read({}, poor)).totals).toEqual([
    ["Top-ups", 180],
    ["Funded cards", -100],
    ["Deficit repaid", -50],
  ]);
  expect(toTold(await read({ cardId: card.id }, poor)).totals).toEqual([
    ["Funded from the float", 100],
    ["Purchases", -150],
    ["Covered by the deficit", 50],
  ]);
});

test("a card without any movement has a statement of zeros", async () => {
  const { id } = await newCard(integrator);
  expect(toTold(await read({ cardId: id }))).toEqual({ lines: [], totals: [], balances: [0, 0] });
});
