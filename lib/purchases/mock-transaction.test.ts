import { beforeAll, describe, expect, test } from "vitest";
import { cardId, integrator, openCardAccount } from "#test/scene/card-account.ts";
import { call } from "#test/scene/api-client.ts";
import type { ApiReply } from "#test/scene/api-client.ts";
import { newCard, newIntegrator } from "#test/scene/fixtures.ts";
import { aTransaction, TIME, UUID } from "#test/scene/shapes.ts";
import { newId } from "#lib/base/ids.ts";

beforeAll(() => openCardAccount(50_000, 10_000));

function mock(
  body: Record<string, unknown>,
  { card = cardId, key }: { card?: string; key?: string } = {},
): Promise<ApiReply> {
  return call(`POST /cards/${card}/mock-transaction`, {
    key: integrator.apiKey,
    body,
    headers: key ? { "Idempotency-Key": key } : {},
  });
}

function idOf({ json }: ApiReply): string {
  return (json as { data: { id: string } }).data.id;
}

async function balances(): Promise<{ balance: number; held: number }> {
  const { json } = await call(`GET /cards/${cardId}`, { key: integrator.apiKey });
  const { balance, held } = json as { balance: number; held: number };
  return { balance, held };
}

describe("simulating the card network", () => {
  test("a purchase and its reversal, as existing clients send them", async () => {
    const bought = await mock({ amount: 2_000, type: "deduct" });
    expect(bought.status).toBe(200);
    expect(bought.json).toEqual({
      message: "Ok",
      data: aTransaction(cardId, {
        type: "deduct",
        amount: 2_000,
        card_balance_before: 10_000,
        card_balance_after: 8_000,
      }),
    });
    const back = await mock({ amount: 500, type: "deduct-reversal" });
    expect(back.json).toEqual({
      message: "Ok",
      data: aTransaction(cardId, {
        type: "deduct-reversal",
        amount: 500,
        card_balance_before: 8_000,
        card_balance_after: 8_500,
        refund_of: idOf(bought),
      }),
    });
    const read = await call(`GET /cards/transaction/${idOf(bought)}`, { key: integrator.apiKey });
    expect(read.json).toMatchObject({ data: { refunded: 500, hold: null } });
    expect(await mock({ type: "refund", transaction_id: idOf(bought) })).toMatchObject({
      status: 200,
      json: { data: { amount: 1_500, card_balance_after: 10_000 } },
    });
    expect(await mock({ amount: 1, type: "deduct-reversal" })).toMatchObject({
      status: 422,
      json: { code: "refund_exceeds_purchase" },
    });
  });

  test("an authorization, captured in parts with the rest reversed", async () => {
    const narrative = `${"🛒".repeat(250)} שלום`;
    const merchant = { name: "Kiosk <script>", mcc: "5411", city: "תל אביב", country: "IL" };
    const held = await mock({ type: "authorize", amount: 900, narrative, merchant });
    expect(held.json).toEqual({
      message: "Ok",
      data: aTransaction(cardId, {
        type: "deduct",
        status: "authorized",
        amount: 900,
        narrative,
        merchant,
        card_balance_before: 10_000,
        card_balance_after: 10_000,
        settled_at: null,
        hold: { amount: 900, captured: 0, released: 0, remaining: 900, expires_at: TIME },
      }),
    });
    expect(await balances()).toEqual({ balance: 10_000, held: 900 });
    const id = idOf(held);
    const first = await mock({ type: "capture", transaction_id: id, amount: 300 });
    expect(first.json).toMatchObject({
      data: { id, status: "settled", amount: 300, hold: { remaining: 600 }, narrative },
    });
    const second = await mock({ type: "capture", transaction_id: id, amount: 200 });
    expect(second.json).toMatchObject({
      data: { id: UUID, authorization_id: id, amount: 200, hold: null, narrative },
    });
    const rest = await mock({ type: "reversal", transaction_id: id });
    expect(rest.json).toMatchObject({
      data: { id, status: "settled", hold: { captured: 500, released: 400, remaining: 0 } },
    });
    expect(await balances()).toEqual({ balance: 9_500, held: 0 });
    expect(await mock({ type: "capture", transaction_id: id })).toMatchObject({
      status: 409,
      json: { code: "authorization_captured" },
    });
  });

  test("an authorization expires now, once, whatever is repeated", async () => {
    const id = idOf(await mock({ type: "authorize", amount: 900 }));
    await mock({ type: "capture", transaction_id: id, amount: 300 });
    const { balance } = (await balances()) as { balance: number };
    const other = idOf(await mock({ type: "authorize", amount: 50 }));
    const replies = await Promise.all(
      Array.from({ length: 5 }, () =>
        mock({ type: "expire", transaction_id: other }, { key: "expire-once" }),
      ),
    );
    expect(new Set(replies.map(({ text }) => text)).size).toBe(1);
    expect(replies[0]).toMatchObject({
      status: 200,
      json: {
        message: "Ok",
        data: { id: other, status: "expired", hold: { amount: 50, released: 50, remaining: 0 } },
      },
    });
    const rest = await mock({ type: "expire", transaction_id: id });
    expect(rest.json).toMatchObject({
      data: { id, status: "settled", hold: { captured: 300, released: 600, remaining: 0 } },
    });
    expect(await balances()).toEqual({ balance, held: 0 });
    for (const [ended, code] of [
      [other, "authorization_expired"],
      [id, "authorization_captured"],
    ] as const) {
      expect(await mock({ type: "expire", transaction_id: ended })).toMatchObject({
        status: 409,
        json: { code, detail: expect.stringContaining("no longer holds anything") },
      });
    }
    await mock({ type: "refund", transaction_id: id });
  });

  test("a capture may exceed its hold as far as the card has funds; with force, the float pays the rest", async () => {
    const { balance } = await balances();
    const id = idOf(await mock({ type: "authorize", amount: 100 }));
    const over = { type: "capture", transaction_id: id, amount: balance + 1 };
    expect(await mock(over)).toMatchObject({
      status: 422,
      json: { code: "insufficient_card_balance", detail: expect.stringContaining("force: true") },
    });
    expect(await mock({ ...over, force: true })).toMatchObject({
      status: 200,
      json: {
        data: { posted_as: "over_authorization", covered: { float: 1, deficit: 0 } },
      },
    });
    expect(await mock({ type: "refund", transaction_id: id })).toMatchObject({ status: 200 });
    expect(await balances()).toEqual({ balance, held: 0 });
  });

  test("while the card is frozen, a capture cannot exceed its hold", async () => {
    const id = idOf(await mock({ type: "authorize", amount: 100 }));
    await call(`PATCH /cards/${cardId}/freeze`, { key: integrator.apiKey });
    expect(await mock({ type: "capture", transaction_id: id, amount: 101 })).toMatchObject({
      status: 422,
      json: {
        code: "capture_exceeds_authorization",
        detail: expect.stringContaining("at most the $1.00 still held"),
      },
    });
    expect(await mock({ type: "capture", transaction_id: id, amount: 100 })).toMatchObject({
      status: 200,
      json: { data: { amount: 100 } },
    });
    await call(`PATCH /cards/${cardId}/unfreeze`, { key: integrator.apiKey });
  });

  test("a decline is an answer, with its reason and one sentence", async () => {
    const before = await balances();
    await call(`PATCH /cards/${cardId}/freeze`, { key: integrator.apiKey });
    const declined = await mock({ type: "deduct", amount: 1 });
    expect(declined).toMatchObject({
      status: 200,
      json: {
        message: "Ok",
        data: {
          status: "declined",
          decline_reason: "card_frozen",
          decline_explanation: expect.stringContaining("unfreeze"),
          settled_at: null,
        },
      },
    });
    await call(`PATCH /cards/${cardId}/unfreeze`, { key: integrator.apiKey });
    expect(await balances()).toEqual(before);
    expect(await mock({ type: "authorize", amount: 1_000_000 })).toMatchObject({
      status: 200,
      json: { data: { status: "declined", decline_reason: "insufficient_funds" } },
    });
    expect(await mock({ type: "capture", transaction_id: idOf(declined) })).toMatchObject({
      status: 409,
      json: { code: "authorization_declined" },
    });
  });

  test("ten concurrent repeats of one key make one purchase and all get the same answer", async () => {
    const { balance } = (await balances()) as { balance: number };
    const replies = await Promise.all(
      Array.from({ length: 10 }, () => mock({ type: "deduct", amount: 7 }, { key: "buy-once" })),
    );
    expect(new Set(replies.map(({ text }) => text)).size).toBe(1);
    expect(await balances()).toMatchObject({ balance: balance - 7 });
    expect(await mock({ type: "deduct", amount: 8 }, { key: "buy-once" })).toMatchObject({
      status: 422,
      json: { code: "idempotency_key_reused" },
    });
  });
});

describe("refusals", () => {
  test.each([
    [{ type: "deduct" }, "amount"],
    [{ type: "authorize" }, "amount"],
    [{ type: "deduct-reversal" }, "amount"],
    [{ type: "capture" }, "transaction_id"],
    [{ type: "reversal", amount: 1 }, "transaction_id"],
    [{ type: "refund", amount: 1 }, "transaction_id"],
    [{ type: "deduct", amount: 1, transaction_id: newId() }, "transaction_id"],
    [{ type: "deduct", amount: 0 }, "amount"],
    [{ type: "advice" }, "amount"],
    [{ type: "advice", amount: 1, decline_with: "card_frozen" }, "decline_with"],
    [{ type: "take-back" }, "transaction_id"],
    [{ type: "take-back", amount: 1, transaction_id: newId() }, "amount"],
    [{ type: "deduct", amount: 1, earlier: [{ type: "reversal" }] }, "earlier"],
    [{ type: "authorize", amount: 1, earlier: [{ type: "expire" }] }, "earlier.0.type"],
    [
      {
        type: "authorize",
        amount: 1,
        earlier: [{ type: "reversal" }],
        decline_with: "card_frozen",
      },
      "earlier",
    ],
    [{ type: "credit", amount: 1 }, "type"],
    [{ type: "deduct", amount: 1, narrative: "x".repeat(256) }, "narrative"],
    [{ type: "deduct", amount: 1, merchant: { name: "" } }, "merchant.name"],
    [{ type: "deduct", amount: 1, merchant: { name: "A", mcc: "54111" } }, "merchant.mcc"],
    [{ type: "capture", transaction_id: "x" }, "transaction_id"],
    [{ type: "expire" }, "transaction_id"],
    [{ type: "expire", transaction_id: newId(), amount: 1 }, "amount"],
    [{ type: "expire", transaction_id: newId(), decline_with: "card_frozen" }, "decline_with"],
    [{ type: "capture", transaction_id: newId(), decline_with: "card_frozen" }, "decline_with"],
    [{ type: "deduct-reversal", amount: 1, decline_with: "card_frozen" }, "decline_with"],
    [{ type: "deduct", amount: 1, decline_with: null }, "decline_with"],
  ])("%j names %s", async (body, member) => {
    const before = await balances();
    const reply = await mock(body);
    expect(reply).toMatchObject({
      status: 422,
      json: { errors: { [member]: [expect.any(String)] } },
    });
    expect(await balances()).toEqual(before);
  });

  test("a transaction of another card, of another integrator, or an unknown one, with the same problem", async () => {
    const other = await newCard(integrator, 100);
    const stranger = await newIntegrator(100);
    const theirs = await newCard(stranger, 100);
    const mine = idOf(await mock({ type: "authorize", amount: 5 }, { card: other.id }));
    const held = await call(`POST /cards/${theirs.id}/mock-transaction`, {
      key: stranger.apiKey,
      body: { type: "authorize", amount: 5 },
    });
    for (const type of ["capture", "reversal", "expire", "refund", "take-back"]) {
      const details = [];
      for (const id of [mine, idOf(held), newId()]) {
        const reply = await mock({ type, transaction_id: id });
        expect(reply.status).toBe(404);
        details.push((reply.json as { detail: string }).detail);
      }
      expect(new Set(details).size).toBe(1);
    }
    expect(await mock({ type: "deduct", amount: 1 }, { card: theirs.id })).toMatchObject({
      status: 404,
      json: { code: "card_not_found" },
    });
  });
});
