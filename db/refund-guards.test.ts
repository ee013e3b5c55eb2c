import postgres from "postgres";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { newCard, newIntegrator } from "#test/scene/fixtures.ts";
import { attack, attackWithCopy } from "#test/database/attacks.ts";
import { testDatabase } from "#test/database/database.ts";
import { buy, capture, holdId, post, refundPurchase, takeBackOf } from "#test/scene/spending.ts";

/** As in transaction-guards.test.ts, for refunds and what is taken back. */
let owner: postgres.Sql;
let settled: string;
let given: string;
let returned: string;
let contra: string;
let spread: { own: string; further: string };

beforeAll(async () => {
  owner = postgres(testDatabase().ownerUrl, { max: 1, onnotice: () => undefined });
  const integrator = await newIntegrator(1_000);
  const { id: cardId } = await newCard(integrator, 500);
  settled = (await buy(integrator, { cardId, amount: 50 })).transaction.id;
  given = (await refundPurchase(integrator, { cardId, transactionId: settled, amount: 20 })).id;
  const { id: empty } = await newCard(integrator);
  returned = (await post(integrator, { cardId: empty, amount: 7 })).id;
  contra = (await takeBackOf(integrator, returned)).id;
  const own = await holdId(integrator, { cardId, amount: 30 });
  await capture(integrator, own, { amount: 10 });
  const further = (await capture(integrator, own, { amount: 20 })).id;
  await refundPurchase(integrator, { cardId, of: { authorizationId: own }, amount: 15 });
  spread = { own, further };
});

afterAll(() => owner.end());

describe("the database refuses, when asked directly", () => {
  test.each([
    ["in part", "taken_back = 6", /transactions_(?:grow|taken_back)/u],
    ["not anymore", "taken_back = 0", /transactions_grow/u],
    ["and refunded", "refunded = 7", /transactions_sums/u],
  ])("a purchase that is taken back %s", async (_, set, message) => {
    expect(await attack(owner, set, returned)).toMatch(message);
  });

  test("what is taken back without a contra, and a contra of another transaction, or of none", async () => {
    expect(await attack(owner, "taken_back = 50", settled)).toMatch(/transactions_contra_sums/u);
    expect(await attack(owner, "taken_back = 6", settled)).toMatch(/transactions_taken_back/u);
    expect(await attack(owner, "taken_back = 20, amount = 20", given)).toMatch(
      /transactions_contra_sums|transactions_sums/u,
    );
    expect(await attack(owner, `takes_back = '${settled}'`, contra)).toMatch(
      /transactions_identity/u,
    );
    expect(await attack(owner, "takes_back = null", contra)).toMatch(/transactions_identity/u);
    expect(await attack(owner, "taken_back = 7", contra)).toMatch(/transactions_contra/u);
    expect(await attackWithCopy(owner, { account_version: 999 }, contra)).toMatch(
      /transactions_taken_back/u,
    );
    const another = { account_version: 999, takes_back: settled };
    expect(await attackWithCopy(owner, another, contra)).toMatch(/transactions_contra_sums/u);
    expect(await attackWithCopy(owner, { ...another, refund_of: settled }, contra)).toMatch(
      /transactions_refund/u,
    );
  });

  test.each([
    ["more than all", "own", "refunded = 11", /transactions_refunded/u],
    ["more than was refunded of all", "further", "refunded = 6", /transactions_sums/u],
  ] as const)("of a refund that is spread: %s in one purchase", async (...attacked) => {
    const [, purchase, set, message] = attacked;
    expect(await attack(owner, set, spread[purchase])).toMatch(message);
  });

  test("a refund that counts in no purchase", async () => {
    const copied = { account_version: 999, amount: 1 };
    expect(await attackWithCopy(owner, copied, given)).toMatch(/transactions_sums/u);
  });
});
