import * as fc from "fast-check";
import { expect, test } from "vitest";
import { Advised, idOf, integrator, key, on, useAdvised } from "#test/scene/advised.ts";
import { call } from "#test/scene/api-client.ts";
import type { ApiReply } from "#test/scene/api-client.ts";

useAdvised();

const amount = fc.integer({ min: 1, max: 1_200 });

const message = fc.oneof(
  fc.record({ type: fc.constant("capture"), amount, final: fc.boolean() }),
  fc.record({ type: fc.constant("reversal"), amount }),
  fc.constant({ type: "reversal" }),
);

/** Simulates the card network on a card. @returns the transaction. */
async function simulate(cardId: string, body: object): Promise<ApiReply> {
  const line = `POST /cards/${cardId}/mock-transaction`;
  const reply = await call(line, { key: integrator.apiKey, body });
  const { data = reply.json } = reply.json as { data?: unknown };
  return { ...reply, json: data };
}

/** What an authorization says once the messages before it are counted, and its card. */
async function readCounted(of: Advised, reply: ApiReply) {
  const { status, decline_reason, hold, ...row } = (await of.readTransaction(idOf(reply))) as {
    status: string;
    amount: number;
    decline_reason: string | null;
    hold: { amount: number; captured: number; released: number; remaining: number } | null;
  };
  const held = hold && { ...hold, expires_at: undefined };
  return { ...(await of.readMoney()), status, amount: row.amount, decline_reason, held };
}

test("simulated messages before an authorization leave what the card network's own do", async () => {
  await fc.assert(
    fc.asyncProperty(
      amount,
      fc.array(message, { minLength: 1, maxLength: 5 }),
      async (asked, earlier) => {
        const sent = await Advised.on(key, integrator);
        for (const { type, ...body } of earlier) {
          await (type === "reversal"
            ? sent.release(body)
            : sent.capture("amount" in body ? body.amount : 0, body));
        }
        const expected = await readCounted(sent, await sent.ask(asked));
        const simulated = await Advised.on(key, integrator);
        const body = { type: "authorize", amount: asked, earlier };
        const reply = await simulate(simulated.cardId, body);
        expect(await readCounted(simulated, reply)).toEqual(expected);
      },
    ),
    { numRuns: 40 },
  );
});

test("the card network approves in our place, and takes back what it posted, once", async () => {
  const mock = (body: object) => simulate(on.cardId, body);
  const before = await on.readMoney();
  const declined = await mock({ type: "authorize", amount: 40, decline_with: "card_frozen" });
  const advised = await mock({ type: "advice", amount: 40, transaction_id: idOf(declined) });
  expect(advised.json).toMatchObject({
    status: "authorized",
    approved_by: "network",
    hold: { remaining: 40 },
  });
  const takeBack = { type: "take-back", transaction_id: idOf(advised) };
  expect(await mock(takeBack)).toMatchObject({
    status: 409,
    json: { code: "transaction_not_settled" },
  });
  await mock({ type: "capture", transaction_id: idOf(advised) });
  expect(await on.readMoney()).toEqual({ balance: before.balance - 40, held: 0 });
  const back = await mock(takeBack);
  expect(back.json).toMatchObject({ type: "deduct-reversal", takes_back: idOf(advised) });
  expect((await mock(takeBack)).json).toEqual(back.json);
  expect(await on.readMoney()).toEqual(before);
  const other = await Advised.on(key, integrator);
  expect(await simulate(other.cardId, takeBack)).toMatchObject({
    status: 404,
    json: { code: "transaction_not_found" },
  });
});
