import { describe, expect, test } from "vitest";
import { sql } from "drizzle-orm";
import { idOf, integrator, on, transactionOf, useAdvised } from "#test/scene/advised.ts";
import { testDatabase } from "#test/database/database.ts";
import { eventsOf } from "#test/scene/spending.ts";
import { newId } from "#lib/base/ids.ts";
import { verifyBooks } from "#lib/ledger/verify.ts";

/** What the card network approved in our place. Each test has a card of 1,000 of its own. */

useAdvised();

describe("we had approved it too", () => {
  test("the hold grows at most to what the network says", async () => {
    const first = await on.ask(100);
    expect(await on.advise(80)).toMatchObject({
      status: 200,
      json: { id: idOf(first), amount: 100 },
    });
    expect(await on.advise(130)).toMatchObject({
      json: { id: idOf(first), decision: "approved", amount: 130, available: 870 },
    });
    expect(await on.readMoney()).toEqual({ balance: 1_000, held: 130 });
    expect(await transactionOf(first)).toMatchObject({ approved_by: null, hold: { amount: 130 } });
    expect((await eventsOf(integrator, on.cardId)).at(-1)).toMatchObject({
      event: "card.transaction",
      data: { amount: 130, hold_remaining: 130, approved_by: null },
      previous: { amount: 100 },
    });
  });

  test("by no more than the card has", async () => {
    await on.ask(900);
    expect(await on.advise(1_500)).toMatchObject({ json: { amount: 1_000, available: 0 } });
    expect(await on.readMoney()).toEqual({ balance: 1_000, held: 1_000 });
  });

  test.each(["PATCH /cards/{id}/freeze", "POST /cards/{id}/close"])(
    "%s: it stays",
    async (change) => {
      const first = await on.ask(100);
      await on.change(change);
      expect(await on.advise(130)).toMatchObject({ json: { id: idOf(first), amount: 100 } });
      expect(await on.readMoney()).toMatchObject({ held: 100 });
    },
  );

  test("one that was reversed stays so", async () => {
    const first = await on.ask(100);
    await on.release();
    expect(await on.advise(130)).toMatchObject({ status: 200, json: { id: idOf(first) } });
    expect(await on.readMoney()).toEqual({ balance: 1_000, held: 0 });
  });

  test("its captures may name the advice's own reference", async () => {
    const first = await on.ask(100);
    const own = newId();
    await on.advise(100, { reference: own });
    expect(await on.capture(100, { authorization_reference: own })).toMatchObject({
      json: { data: { id: idOf(first), posted_as: "authorized" } },
    });
    expect(await on.readMoney()).toEqual({ balance: 900, held: 0 });
  });
});

describe("we had declined it", () => {
  test("it is an authorization of its own, which names the decline and holds what the card has", async () => {
    const declined = await on.ask(1_500);
    expect(declined).toMatchObject({ json: { decision: "declined" } });
    const advised = await on.advise(1_500);
    expect(advised).toMatchObject({
      status: 200,
      json: {
        decision: "approved",
        decline_reason: null,
        amount: 1_000,
        requested_amount: 1_500,
        available: 0,
      },
    });
    expect(idOf(advised)).not.toBe(idOf(declined));
    expect(await transactionOf(advised)).toMatchObject({
      status: "authorized",
      amount: 1_000,
      requested_amount: 1_500,
      approved_by: "network",
      overruled_decline: "insufficient_funds",
      decline_reason: null,
    });
    expect(await transactionOf(declined)).toMatchObject({ status: "declined", approved_by: null });
    expect((await eventsOf(integrator, on.cardId)).at(-1)).toMatchObject({
      event: "card.transaction",
      data: {
        status: "authorized",
        approved_by: "network",
        overruled_decline: "insufficient_funds",
        hold_remaining: 1_000,
      },
    });
  });

  test("its captures find it by the reference; beyond what it holds, they are stand-in", async () => {
    await on.ask(1_500);
    const id = idOf(await on.advise(1_500));
    expect(await on.capture(400)).toMatchObject({
      json: { data: { id, posted_as: "authorized" } },
    });
    expect(await on.capture(1_100)).toMatchObject({
      json: {
        data: { authorization_id: id, posted_as: "stand_in", covered: { float: 500, deficit: 0 } },
      },
    });
    expect(await on.capture(10)).toMatchObject({
      json: { data: { authorization_id: id, posted_as: "stand_in" } },
    });
    expect(await on.readMoney()).toEqual({ balance: 0, held: 0 });
  });

  test("a second advice is about the same one", async () => {
    await on.ask(1_500);
    const first = await on.advise(500);
    expect(await on.advise(600)).toMatchObject({ json: { id: idOf(first), amount: 600 } });
    expect(await on.readMoney()).toEqual({ balance: 1_000, held: 600 });
  });

  test("what was captured after the decline is not held again", async () => {
    await on.ask(1_500);
    await on.capture(300);
    expect(await on.advise(400)).toMatchObject({ json: { amount: 100, requested_amount: 400 } });
    expect(await on.readMoney()).toEqual({ balance: 700, held: 100 });
  });

  test("what was captured before the decline is not held again", async () => {
    await on.capture(300);
    expect(await on.ask(1_500)).toMatchObject({ json: { decision: "declined" } });
    expect(await on.advise(400)).toMatchObject({ json: { amount: 100, requested_amount: 400 } });
    expect(await on.readMoney()).toEqual({ balance: 700, held: 100 });
  });

  test("a final capture before the decline leaves nothing to hold", async () => {
    await on.capture(300, { final: true });
    await on.ask(1_500);
    const advised = await on.advise(1_500);
    expect(advised).toMatchObject({ status: 200 });
    expect(await on.readMoney()).toEqual({ balance: 700, held: 0 });
  });
});

describe("we were not asked", () => {
  test("under its own reference, it holds the amount, and no decline is overruled", async () => {
    const advised = await on.ask(100, { advice: true });
    expect(advised).toMatchObject({ status: 200, json: { amount: 100, requested_amount: null } });
    expect(await transactionOf(advised)).toMatchObject({
      status: "authorized",
      approved_by: "network",
      overruled_decline: null,
    });
    expect(await on.capture(100)).toMatchObject({
      json: { data: { id: idOf(advised), posted_as: "authorized", approved_by: "network" } },
    });
    expect(await on.readMoney()).toEqual({ balance: 900, held: 0 });
  });

  test("a verification holds nothing; what is captured of it is stand-in", async () => {
    const advised = await on.ask(0, { advice: true });
    expect(await transactionOf(advised)).toMatchObject({
      type: "verification",
      approved_by: "network",
    });
    expect(await on.capture(10)).toMatchObject({ json: { data: { posted_as: "stand_in" } } });
  });

  test("the question that comes later holds nothing more, and captures stay with the advice", async () => {
    await on.capture(30);
    const id = idOf(await on.advise(100));
    expect(await on.readMoney()).toEqual({ balance: 970, held: 70 });
    expect(await on.ask(100)).toMatchObject({ status: 200 });
    expect(await on.readMoney()).toEqual({ balance: 970, held: 70 });
    expect(await on.capture(70)).toMatchObject({ json: { data: { id } } });
    expect(await on.readMoney()).toEqual({ balance: 900, held: 0 });
  });

  test.each([
    ["PATCH /cards/{id}/freeze", "card_frozen", 70],
    ["POST /cards/{id}/close", "card_closed", 70],
  ])("%s: it holds nothing", async (change, reason, amount) => {
    await on.change(change);
    const advised = await on.advise(amount);
    expect(advised).toMatchObject({
      json: { decision: "approved", amount: 0, requested_amount: 70 },
    });
    expect(await transactionOf(advised)).toMatchObject({
      status: "captured",
      amount: 70,
      hold: null,
      approved_by: "network",
      overruled_decline: reason,
    });
    expect(await on.readMoney()).toMatchObject({ held: 0 });
    expect(await on.capture(70)).toMatchObject({
      json: {
        data: {
          authorization_id: idOf(advised),
          posted_as: "stand_in",
          covered: { float: 70, deficit: 0 },
        },
      },
    });
  });

  test("an expired card holds nothing", async () => {
    await testDatabase().db.execute(
      sql`update ledger_accounts set expires_at = now() - interval '1 day' where id = ${on.cardId}`,
    );
    expect(await transactionOf(await on.advise(70))).toMatchObject({
      status: "captured",
      overruled_decline: "card_expired",
    });
    expect(await on.readMoney()).toEqual({ balance: 1_000, held: 0 });
  });

  test("a card without funds holds nothing", async () => {
    await on.capture(1_000, { authorization_reference: undefined });
    expect(await transactionOf(await on.advise(70))).toMatchObject({
      status: "captured",
      overruled_decline: "insufficient_funds",
    });
  });
});

test("the books balance", async () => {
  expect(await verifyBooks(testDatabase().db)).toEqual([]);
});
