import { beforeAll, describe, expect, test } from "vitest";
import { cardId, integrator, openCardAccount } from "#test/scene/card-account.ts";
import { call } from "#test/scene/api-client.ts";
import { reading } from "#test/scene/fixtures.ts";
import { aTransaction } from "#test/scene/shapes.ts";
import { eventsOf } from "#test/scene/spending.ts";
import { listAudit } from "#lib/record/audit.ts";
import { getTransaction } from "#lib/transactions/transactions.ts";
import type { Transaction } from "#lib/transactions/transactions.ts";
import { DECLINE_REASON_NAMES, DECLINE_REASONS } from "#lib/transactions/decline-rules.ts";

beforeAll(() => openCardAccount(1_000, 1_000));

function mock(body: object, headers: Record<string, string> = {}) {
  const line = `POST /cards/${cardId}/mock-transaction`;
  return call(line, { key: integrator.apiKey, body, headers });
}

describe.each(["deduct", "authorize"])("%s", (type) => {
  test.each(DECLINE_REASONS)(
    "is declined with %s on a card that may pay, explained as forced, recorded, and reported",
    async (reason) => {
      const merchant = { name: "Harbour Coffee", mcc: "5814", city: "Boston", country: "US" };
      const described = { narrative: "SQ *HARBOUR COFFEE", merchant };
      const reply = await mock({ type, amount: 100, decline_with: reason, ...described });
      const explanation = `${DECLINE_REASON_NAMES[reason]}: forced in the sandbox, whatever the card's state. Simulate without a forced reason to apply the card's rules.`;
      expect(reply).toMatchObject({ status: 200, json: { message: "Ok" } });
      const { data } = reply.json as { data: { id: string } };
      expect(data).toEqual(
        aTransaction(cardId, {
          type: "deduct",
          status: "declined",
          amount: 100,
          ...described,
          decline_reason: reason,
          decline_explanation: explanation,
          card_balance_before: 1_000,
          card_balance_after: 1_000,
          settled_at: null,
        }),
      );
      const read = await call(`GET /transactions/${data.id}`, { key: integrator.apiKey });
      expect(read.json).toEqual({ data });
      const listed = await call(`GET /transactions?decline_reason=${reason}&limit=1`, {
        key: integrator.apiKey,
      });
      expect(listed.json).toMatchObject({ data: [data] });
      expect((await eventsOf(integrator, cardId)).at(-1)).toMatchObject({
        event: "card.transaction-declined",
        data: {
          reference: data.id,
          status: "declined",
          decline_reason: reason,
          decline_explanation: explanation,
        },
      });
      const card = await call(`GET /cards/${cardId}`, { key: integrator.apiKey });
      expect(card.json).toMatchObject({ balance: 1_000, held: 0 });
    },
  );
});

test("the forced reason comes before what the card's rules would say", async () => {
  await call(`PATCH /cards/${cardId}/freeze`, { key: integrator.apiKey });
  const forced = { type: "deduct", amount: 1, decline_with: "currency_mismatch" };
  expect((await mock(forced)).json).toMatchObject({
    data: { status: "declined", decline_reason: "currency_mismatch" },
  });
  await call(`PATCH /cards/${cardId}/unfreeze`, { key: integrator.apiKey });
});

test.each(["fraud", "CARD_FROZEN", "", 1, ["card_frozen"], null])(
  "%j is refused, with the list of what is allowed, and nothing is recorded",
  async (decline_with) => {
    const before = await eventsOf(integrator, cardId);
    const reply = await mock({ type: "deduct", amount: 1, decline_with });
    const allowed = DECLINE_REASONS.map((reason) => JSON.stringify(reason)).join(" or ");
    expect(reply).toMatchObject({
      status: 422,
      json: {
        code: "validation_failed",
        errors: { decline_with: [expect.stringContaining(`This field must be ${allowed}.`)] },
      },
    });
    expect(await eventsOf(integrator, cardId)).toEqual(before);
  },
);

test("a repeat under the same key gets the same decline; with another reason, the key is refused", async () => {
  const once = { "Idempotency-Key": "declined-once" };
  const body = { type: "authorize", amount: 5, decline_with: "card_closed" };
  const [first, repeat] = [await mock(body, once), await mock(body, once)];
  expect(repeat.text).toBe(first.text);
  expect(await mock({ ...body, decline_with: "card_expired" }, once)).toMatchObject({
    status: 422,
    json: { code: "idempotency_key_reused" },
  });
});

async function recorded(body: object): Promise<Transaction> {
  const { data } = (await mock(body)).json as { data: { id: string } };
  return getTransaction(reading(integrator), data.id);
}

test("the record says whether a decline was forced, in a member of its own", async () => {
  const declined = { type: "deduct", amount: 1_001 };
  expect(await recorded(declined)).toMatchObject({ status: "declined", declineForced: false });
  expect(await recorded({ ...declined, decline_with: "insufficient_funds" })).toMatchObject({
    status: "declined",
    declineForced: true,
  });
});

test("the audit log says that the decline was forced", async () => {
  await mock({ type: "deduct", amount: 7, decline_with: "card_unknown" });
  const { rows } = await listAudit(reading(integrator), { targetId: cardId, limit: 1 });
  expect(rows).toMatchObject([
    {
      action: "card.transaction-simulated",
      after: { type: "deduct", status: "declined", decline_with: "card_unknown" },
    },
  ]);
});
