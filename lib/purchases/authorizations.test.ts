import { describe, expect, test } from "vitest";
import { testDatabase } from "#test/database/database.ts";
import { move, newCard, newIntegrator, newOrigin, reading, write } from "#test/scene/fixtures.ts";
import { capture, eventsOf, hold, holdId, reverse } from "#test/scene/spending.ts";
import { inTransaction } from "#db/transaction.ts";
import { authorize } from "#lib/purchases/authorizations.ts";
import { performAll } from "#lib/group-commit/batch.ts";
import { getCard } from "#lib/cards/card-reads.ts";
import { expireAuthorization } from "#lib/purchases/holds.ts";
import { getTransaction, listCardTransactions } from "#lib/transactions/transactions.ts";

const SHOP = { name: "Blue Bottle", mcc: "5814", city: "Oakland", country: "US" };

describe("an authorization", () => {
  test("holds its amount, moves nothing, and reports the merchant's text unchanged", async () => {
    const integrator = await newIntegrator(1_000);
    const card = await newCard(integrator, 500);
    const narrative = "ПОКУПКА コーヒー ☕️ <b>&amp;</b>";
    const { transaction, available } = await hold(integrator, {
      cardId: card.id,
      amount: 120,
      narrative,
      merchant: SHOP,
    });
    expect(available).toBe(380);
    expect(transaction).toMatchObject({
      type: "deduct",
      status: "authorized",
      amount: 120,
      narrative,
      merchant: SHOP,
      cardBalanceBefore: 500,
      cardBalanceAfter: 500,
      holdAmount: 120,
    });
    expect(await getCard(reading(integrator), card.id)).toMatchObject({
      balance: 500,
      held: 120,
      available: 380,
    });
    expect((await eventsOf(integrator, card.id)).at(-1)).toMatchObject({
      event: "card.transaction",
      data: {
        amount: 120,
        card_id: card.id,
        currency: "USD",
        reference: transaction.id,
        status: "authorized",
        narrative,
        merchant: SHOP,
        card_balance_after: 500,
        hold_remaining: 120,
      },
    });
  });

  test("captured in full, settles under the same reference and chains the card's balance", async () => {
    const integrator = await newIntegrator(1_000);
    const card = await newCard(integrator, 500);
    const id = await holdId(integrator, { cardId: card.id, amount: 120 });
    await move(integrator, { kind: "debit", cardId: card.id, amount: 80 });
    const settled = await capture(integrator, id);
    expect(settled).toMatchObject({
      id,
      status: "settled",
      amount: 120,
      cardBalanceBefore: 420,
      cardBalanceAfter: 300,
      holdCaptured: 120,
      holdReleased: 0,
      settledAt: expect.any(Date),
    });
    expect(await getCard(reading(integrator), card.id)).toMatchObject({ balance: 300, held: 0 });
    expect((await eventsOf(integrator, card.id)).at(-1)).toMatchObject({
      event: "card.transaction",
      data: { reference: id, status: "settled", amount: 120, card_balance_after: 300 },
    });
  });

  test("captured in parts, settles each part; the final capture releases the rest", async () => {
    const integrator = await newIntegrator(1_000);
    const card = await newCard(integrator, 500);
    const id = await holdId(integrator, { cardId: card.id, amount: 100, narrative: "Parts" });
    const first = await capture(integrator, id, { amount: 30 });
    expect(first).toMatchObject({ id, status: "settled", amount: 30, cardBalanceAfter: 470 });
    const second = await capture(integrator, id, { amount: 40, final: true });
    expect(second).toMatchObject({
      authorizationId: id,
      status: "settled",
      amount: 40,
      narrative: "Parts",
      cardBalanceBefore: 470,
      cardBalanceAfter: 430,
    });
    expect(await getTransaction(reading(integrator), id)).toMatchObject({
      amount: 30,
      holdAmount: 100,
      holdCaptured: 70,
      holdReleased: 30,
    });
    expect(await getCard(reading(integrator), card.id)).toMatchObject({ balance: 430, held: 0 });
    await expect(capture(integrator, id)).rejects.toMatchObject({ code: "authorization_captured" });
  });

  test("reversed in part and then in full, releases what it held and ends reversed", async () => {
    const integrator = await newIntegrator(1_000);
    const card = await newCard(integrator, 500);
    const id = await holdId(integrator, { cardId: card.id, amount: 100 });
    expect(await reverse(integrator, id, 40)).toMatchObject({ status: "authorized" });
    expect(await getCard(reading(integrator), card.id)).toMatchObject({ held: 60 });
    expect(await reverse(integrator, id)).toMatchObject({ status: "reversed", holdReleased: 100 });
    expect(await getCard(reading(integrator), card.id)).toMatchObject({ balance: 500, held: 0 });
    const reported = (await eventsOf(integrator, card.id)).slice(-2);
    expect(reported.map(({ event, data }) => [event, data["amount"], data["status"]])).toEqual([
      ["card.reverse-transaction", 40, "reversed"],
      ["card.reverse-transaction", 60, "reversed"],
    ]);
    await expect(capture(integrator, id)).rejects.toMatchObject({ code: "authorization_reversed" });
  });

  test("that has expired is released by the expiry, once", async () => {
    const integrator = await newIntegrator(1_000);
    const card = await newCard(integrator, 500);
    const id = await holdId(integrator, { cardId: card.id, amount: 100, expiresInS: 0 });
    const expire = () => write(integrator, (ctx) => expireAuthorization(ctx, id));
    expect(await expire()).toMatchObject({ status: "expired", holdReleased: 100 });
    expect(await expire()).toBeUndefined();
    expect(await getCard(reading(integrator), card.id)).toMatchObject({ balance: 500, held: 0 });
    const refused = { code: "authorization_expired" };
    await expect(capture(integrator, id)).rejects.toMatchObject(refused);
    const live = await holdId(integrator, { cardId: card.id, amount: 1 });
    expect(await write(integrator, (ctx) => expireAuthorization(ctx, live))).toBeUndefined();
  });

  test("that is unknown, another integrator's, or a transaction of another kind is not found", async () => {
    const [integrator, stranger] = [await newIntegrator(10), await newIntegrator(10)];
    const card = await newCard(stranger, 10);
    const theirs = await holdId(stranger, { cardId: card.id, amount: 5 });
    const own = await newCard(integrator, 10);
    const { rows } = await listCardTransactions(reading(integrator), own.id, { limit: 1 });
    const refused = { code: "authorization_not_found" };
    for (const id of [theirs, card.id, "x", rows[0]?.id ?? ""]) {
      await expect(capture(integrator, id)).rejects.toMatchObject(refused);
      await expect(reverse(integrator, id)).rejects.toMatchObject(refused);
    }
    await expect(hold(integrator, { cardId: card.id, amount: 1 })).rejects.toMatchObject({
      code: "card_not_found",
    });
    expect(await getCard(reading(stranger), card.id)).toMatchObject({ held: 5 });
  });

  test("is decided in the order of its batch, with declines and refusals among the approvals", async () => {
    const integrator = await newIntegrator(1_000);
    const [one, two] = [await newCard(integrator, 100), await newCard(integrator, 50)];
    const stranger = await newCard(await newIntegrator());
    const results = await inTransaction(testDatabase().db, (tx) =>
      performAll(
        tx,
        authorize,
        [
          [one.id, 70],
          [one.id, 40],
          [stranger.id, 1],
          [two.id, 50],
          [one.id, 30],
        ].map(([cardId, amount]) => ({
          actor: integrator.actor,
          request: newOrigin(),
          cardId: String(cardId),
          amount: Number(amount),
          currency: "USD",
          narrative: null,
          merchant: null,
          expiresInS: 60,
        })),
      ),
    );
    expect(
      results.map((result) =>
        "refusal" in result
          ? result.refusal.code
          : [result.done.transaction.declineReason, result.done.available],
      ),
    ).toEqual([[null, 30], ["insufficient_funds", 30], "card_not_found", [null, 0], [null, 0]]);
  });
});
