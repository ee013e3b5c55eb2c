import { sql } from "drizzle-orm";
import { beforeEach, describe, expect, test } from "vitest";
import { watchStatements } from "#db/statements.ts";
import { advance, clockOf, DAY_S } from "#test/database/clock.ts";
import { testDatabase } from "#test/database/database.ts";
import { cardId, integrator, openCardAccount } from "#test/scene/card-account.ts";
import { newCard, newIntegrator, reading, write } from "#test/scene/fixtures.ts";
import { controlAccount, controlCard, toControls, toLimit } from "#test/scene/spending-controls.ts";
import {
  adviseOf,
  buy,
  capture,
  hold,
  holdId,
  increment,
  post,
  refundPurchase,
  reverse,
} from "#test/scene/spending.ts";
import { getCard } from "#lib/cards/card-reads.ts";
import { toCardResource } from "#lib/cards/card-resource.ts";
import { performAll } from "#lib/group-commit/batch.ts";
import { verifyBooks } from "#lib/ledger/verify.ts";
import { authorize } from "#lib/purchases/authorizations.ts";
import { HOLD_LIFE_S } from "#lib/transactions/transaction-kinds.ts";

/** What a card's spending controls decide, and what they count. */

beforeEach(() => openCardAccount(100_000, 50_000));

const SHOP = { name: "Quay Deli", mcc: "5411", city: "Porto", country: "PT" };

const ask = (amount: number, over: object = {}) =>
  hold(integrator, { cardId, amount, merchant: SHOP, ...over });

async function usedOf(of = cardId): Promise<(number | null)[]> {
  const { spending_controls: controls } = toCardResource(await getCard(reading(integrator), of));
  return (controls?.spending_limits ?? []).map(({ used }) => used);
}

describe("a limit", () => {
  test("declines what exceeds it, says until when, and counts no decline", async () => {
    await controlAccount(integrator, { timeZone: "Europe/Berlin" });
    await controlCard(integrator, cardId, { spending_limits: [toLimit(50_000)] });
    await ask(48_760);
    const { transaction } = await ask(2_000);
    expect(transaction).toMatchObject({ declineReason: "limit_exceeded", counted: null });
    expect(transaction.declineExplanation).toMatch(
      /^The monthly limit of \$500\.00 has \$12\.40 left until [A-Z][a-z]+ 1, 00:00 \(Europe\/Berlin\), and this needs \$20\.00\. Wait until then, or raise it in the spending controls of the card\.$/u,
    );
    expect(await usedOf()).toEqual([48_760]);
    expect((await ask(1_240)).transaction.status).toBe("authorized");
  });

  test("takes in what was bought before it was set", async () => {
    await ask(300);
    await buy(integrator, { cardId, amount: 200 });
    await controlCard(integrator, cardId, { spending_limits: [toLimit(1_000, "all_time")] });
    expect(await usedOf()).toEqual([500]);
    expect((await ask(501)).transaction.declineReason).toBe("limit_exceeded");
    expect((await ask(500)).transaction.status).toBe("authorized");
  });

  test("of an authorization counts it alone", async () => {
    await controlCard(integrator, cardId, {
      spending_limits: [toLimit(1_000, "per_authorization")],
    });
    const id = await holdId(integrator, { cardId, amount: 1_000 });
    expect((await ask(1_000)).transaction.status).toBe("authorized");
    expect((await ask(1_001)).transaction.declineExplanation).toBe(
      "The per-authorization limit of $10.00 is less than the $10.01 that this needs. To allow it, raise it in the spending controls of the card.",
    );
    expect((await increment(integrator, id, 1)).transaction.declineReason).toBe("limit_exceeded");
    expect(await usedOf()).toEqual([null]);
  });

  test("of categories counts only these, as they were authorized", async () => {
    await controlCard(integrator, cardId, {
      spending_limits: [toLimit(500, "daily", ["5411", "5814"])],
    });
    expect((await ask(501, { merchant: { ...SHOP, mcc: "7011" } })).transaction.status).toBe(
      "authorized",
    );
    expect((await ask(501, { merchant: null })).transaction.status).toBe("authorized");
    const id = await holdId(integrator, { cardId, amount: 400, merchant: SHOP });
    await capture(integrator, id, {
      described: { narrative: null, merchant: { ...SHOP, mcc: "7995" } },
    });
    expect(await usedOf()).toEqual([400]);
    expect((await ask(101)).transaction.declineExplanation).toContain(
      "The daily limit of $5.00 for this category has $1.00 left",
    );
  });

  test("approves in part what it leaves, and no more than the card has", async () => {
    await controlCard(integrator, cardId, { spending_limits: [toLimit(800)] });
    const { transaction } = await ask(1_000, { allowPartial: true });
    expect(transaction).toMatchObject({ amount: 800, requestedAmount: 1_000, counted: 800 });
    expect((await ask(1, { allowPartial: true })).transaction.declineReason).toBe("limit_exceeded");
  });

  test("counts what exceeds an authorization once, with its first capture and with a further one", async () => {
    await controlCard(integrator, cardId, { spending_limits: [toLimit(10_000)] });
    const first = await holdId(integrator, { cardId, amount: 100 });
    await capture(integrator, first, { amount: 140 });
    expect(await usedOf()).toEqual([140]);
    const parts = await holdId(integrator, { cardId, amount: 100 });
    await capture(integrator, parts, { amount: 40 });
    await capture(integrator, parts, { amount: 90 });
    expect(await usedOf()).toEqual([140 + 130]);
    await capture(integrator, parts, { amount: 5 });
    expect(await usedOf()).toEqual([140 + 135]);
  });

  test("counts what was posted without asking, and is then exceeded", async () => {
    await controlCard(integrator, cardId, { spending_limits: [toLimit(500)] });
    await post(integrator, { cardId, amount: 700 });
    expect(await usedOf()).toEqual([700]);
    expect((await ask(1)).transaction.declineExplanation).toContain("has $0.00 left");
    const id = await adviseOf(integrator, { cardId, amount: 300 });
    expect(id.transaction.overruledDecline).toBe("limit_exceeded");
    expect(await usedOf()).toEqual([1_000]);
  });

  test("gets back what is reversed and not captured, and nothing for a refund", async () => {
    await controlCard(integrator, cardId, { spending_limits: [toLimit(500)] });
    const reversed = await holdId(integrator, { cardId, amount: 500 });
    await reverse(integrator, reversed, 100);
    expect(await usedOf()).toEqual([400]);
    await reverse(integrator, reversed);
    const id = await holdId(integrator, { cardId, amount: 500 });
    const { id: transactionId } = await capture(integrator, id, { amount: 200, final: true });
    expect(await usedOf()).toEqual([200]);
    await refundPurchase(integrator, { cardId, transactionId, amount: 200 });
    expect(await usedOf()).toEqual([200]);
  });

  test("starts anew by the sandbox clock", async () => {
    await controlCard(integrator, cardId, { spending_limits: [toLimit(500, "daily")] });
    await ask(500);
    expect((await ask(1)).transaction.declineReason).toBe("limit_exceeded");
    await advance(integrator, DAY_S);
    expect(await usedOf()).toEqual([0]);
    expect((await ask(500)).transaction.status).toBe("authorized");
    const { now } = await clockOf(integrator);
    const { spending_controls: controls } = toCardResource(
      await getCard(reading(integrator), cardId),
    );
    const next = new Date(new Date(now.getTime() + DAY_S * 1_000).toISOString().slice(0, 10));
    expect(controls?.spending_limits[0]?.resets_at).toBe(next.toISOString());
  });
});

test("a card has its account's controls as a default, and its own instead of them", async () => {
  await controlAccount(integrator, {
    spendingControls: toControls({ spending_limits: [toLimit(100)], blocked_categories: ["5411"] }),
  });
  const declined = (await ask(1)).transaction;
  expect(declined.declineReason).toBe("category_blocked");
  expect(declined.declineExplanation).toMatch(
    /5411.* is blocked\. .*spending controls of the account\.$/u,
  );
  expect((await ask(101, { merchant: null })).transaction.declineReason).toBe("limit_exceeded");
  await controlCard(integrator, cardId, {});
  expect((await ask(1_000)).transaction.status).toBe("authorized");
  await controlCard(integrator, cardId, null);
  expect((await ask(1, { merchant: null })).transaction.declineReason).toBe("limit_exceeded");
  await controlAccount(integrator, { spendingControls: null });
  expect((await ask(1)).transaction.status).toBe("authorized");
  expect(await readUses()).toBeNull();
});

test("a country is compared by any of its codes, as the network sends it", async () => {
  await controlCard(integrator, cardId, { blocked_merchant_countries: ["PT"] });
  expect((await ask(1, { merchant: { ...SHOP, country: "PRT" } })).transaction.declineReason).toBe(
    "country_blocked",
  );
});

async function readUses(): Promise<unknown> {
  const [row] = await testDatabase().db.execute<{ uses: unknown }>(
    sql`select limit_uses as uses from ledger_accounts where id = ${cardId}`,
  );
  return row?.uses ?? null;
}

describe("32 authorizations at a limit", () => {
  const AMOUNT = 100;
  const FITTING = 20;

  test("side by side, of two limited cards: as many as fit, on each", async () => {
    const { id: other } = await newCard(integrator, 10_000);
    for (const id of [cardId, other]) {
      await controlCard(integrator, id, {
        spending_limits: [toLimit(AMOUNT * FITTING), toLimit(1_000_000, "daily", ["5411"])],
      });
    }
    const decided = await Promise.all(
      Array.from({ length: 32 }, async (_, index) => {
        const of = index % 2 === 0 ? cardId : other;
        const twice = [await ask(AMOUNT, { cardId: of }), await ask(AMOUNT, { cardId: of })];
        return twice.filter(({ transaction }) => transaction.status === "authorized").length;
      }),
    );
    expect(decided.reduce((sum, approved) => sum + approved, 0)).toBe(2 * FITTING);
    expect(await usedOf()).toEqual([AMOUNT * FITTING, AMOUNT * FITTING]);
    expect(await usedOf(other)).toEqual([AMOUNT * FITTING, AMOUNT * FITTING]);
    expect(await verifyBooks(testDatabase().db)).toEqual([]);
  });

  test("in one batch: as many as fit", async () => {
    await controlCard(integrator, cardId, { spending_limits: [toLimit(AMOUNT * FITTING)] });
    const results = await write(integrator, async ({ tx, ...caller }) => {
      const wanted = { ...caller, cardId, amount: AMOUNT, currency: null, narrative: null };
      const batch = Array.from({ length: 32 }, () => ({
        ...wanted,
        merchant: SHOP,
        expiresInS: HOLD_LIFE_S,
      }));
      return performAll(tx, authorize, batch);
    });
    const approved = results.filter(
      (result) => "done" in result && result.done.transaction.status === "authorized",
    );
    expect(approved).toHaveLength(FITTING);
    expect(await usedOf()).toEqual([AMOUNT * FITTING]);
  });
});

/** The statements of a decision, without values. */
async function statementsOf(work: () => Promise<unknown>): Promise<string[]> {
  const sent: string[] = [];
  watchStatements((text) => {
    sent.push(text);
    return undefined;
  });
  try {
    await work();
  } finally {
    watchStatements(undefined);
  }
  return sent;
}

describe("what limits cost", () => {
  test("a card without any sends the statements of an account that knows none", async () => {
    const plain = await newIntegrator(1_000);
    const { id } = await newCard(plain, 1_000);
    const expected = await statementsOf(() =>
      hold(plain, { cardId: id, amount: 1, merchant: SHOP }),
    );
    const { id: limited } = await newCard(integrator, 1_000);
    await controlCard(integrator, limited, { spending_limits: [toLimit(5)] });
    expect(await statementsOf(() => ask(1))).toEqual(expected);
    expect(expected.filter((text) => text.includes("limit_uses ="))).toEqual([]);
  });

  test("a card with limits sends one more statement only when a period begins", async () => {
    const plain = await statementsOf(() => ask(1));
    await controlCard(integrator, cardId, {
      spending_limits: Array.from({ length: 10 }, (_, index) => toLimit(5_000 + index, "daily")),
    });
    expect(await statementsOf(() => ask(1))).toHaveLength(plain.length + 1);
    expect(await statementsOf(() => ask(1))).toHaveLength(plain.length);
    await advance(integrator, DAY_S);
    expect(await statementsOf(() => ask(1))).toHaveLength(plain.length + 1);
    expect(await statementsOf(() => ask(1))).toHaveLength(plain.length);
  });
});
