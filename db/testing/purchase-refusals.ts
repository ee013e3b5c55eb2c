import { sql } from "drizzle-orm";
import { expect } from "vitest";
import { newId } from "#lib/base/ids.ts";
import { testDatabase } from "./database.ts";
import { newCard } from "./fixtures.ts";
import {
  authorize,
  forEach,
  send,
  sendFull,
  sendUnbalanced,
  sendWhileAdvancing,
  unknownCard,
} from "./scene.ts";
import type { Case, Scene } from "./scene.ts";
import { buy, capture, reverse } from "./spending.ts";

/** The same act on an authorization through the simulator and through the processor's operations. */
const capturing = {
  mockTransaction: (transaction_id: string, amount?: number) => ({
    body: { type: "capture", transaction_id, amount },
  }),
  createCapture: (at: string, amount?: number) => ({ at, body: { amount } }),
};
const reversing = {
  mockTransaction: (transaction_id: string, amount?: number) => ({
    body: { type: "reversal", transaction_id, amount },
  }),
  createReversal: (at: string, amount?: number) => ({ at, body: { amount } }),
};
const refunding = {
  mockTransaction: (transaction_id: string, amount: number) => ({
    body: { type: "refund", transaction_id, amount },
  }),
  createRefund: (transaction_id: string, amount: number) => ({ body: { transaction_id, amount } }),
};
type Act = (id: string, amount: number) => object;

/** One authorization for each way in which it can end. */
const ended = (id: string, act: Act): Record<string, Case> => ({
  [`${id} authorization_captured`]: async (scene) => {
    const held = await authorize(scene, 10);
    await capture(scene, held, { final: true });
    return send(scene, id, act(held, 1));
  },
  [`${id} authorization_reversed`]: async (scene) => {
    const held = await authorize(scene, 10);
    await reverse(scene, held);
    return send(scene, id, act(held, 1));
  },
  [`${id} authorization_expired`]: async (scene) => {
    const held = await authorize(scene, 10, { expires_in: 1 });
    await expect.poll(() => isExpired(held), { timeout: 20_000 }).toBe(true);
    return send(scene, id, act(held, 1));
  },
  [`${id} authorization_declined`]: async (scene) =>
    send(scene, id, act(await authorize(scene, 1_000), 1)),
});

async function isExpired(id: string): Promise<boolean> {
  const rows = await testDatabase().db.execute(
    sql`select from transactions where id = ${id} and hold_expires_at < clock_timestamp()`,
  );
  return rows.length > 0;
}

const held = (
  id: string,
  act: Act,
  { code, amount, asked }: { code: string; amount: number; asked: number },
) => ({
  [`${id} ${code}`]: async (scene: Scene) =>
    send(scene, id, act(await authorize(scene, amount), asked)),
});
const bought = (id: string, act: Act): Record<string, Case> => ({
  [`${id} transaction_not_found`]: (scene) => send(scene, id, act(newId(), 1)),
  [`${id} transaction_not_settled`]: async (scene) =>
    send(scene, id, act(await authorize(scene, 10), 1)),
  [`${id} refund_exceeds_purchase`]: async (scene) => {
    const { transaction } = await buy(scene, { cardId: scene.card, amount: 10 });
    return send(scene, id, act(transaction.id, 11));
  },
  [`${id} balance_limit_exceeded`]: async (scene) => {
    const { transaction } = await buy(scene, { cardId: scene.card, amount: 10 });
    return sendFull(scene, id, { account: "card", ...act(transaction.id, 1) });
  },
});

/** Uses a single-use card, whose rest is swept to the float when its purchase settles. */
async function toSingleUse(scene: Scene): Promise<Scene> {
  return { ...scene, card: (await newCard(scene, 100, { singleUse: true })).id };
}

/** A case for every refusal of an act on purchases. */
export const PURCHASE_CASES: Record<string, Case> = {
  ...Object.assign(
    {},
    ...Object.entries(capturing).map(([id, act]) => ({
      ...ended(id, act),
      ...held(id, act, { code: "capture_exceeds_authorization", amount: 10, asked: 90 }),
      ...held(id, act, { code: "insufficient_card_balance", amount: 100, asked: 101 }),
    })),
  ),
  ...Object.assign(
    {},
    ...Object.entries(reversing).map(([id, act]) => ({
      ...ended(id, act),
      ...held(id, act, { code: "reversal_exceeds_hold", amount: 10, asked: 11 }),
    })),
  ),
  ...Object.assign({}, ...Object.entries(refunding).map(([id, act]) => bought(id, act))),
  "createCapture balance_limit_exceeded": async (scene) => {
    const spending = await toSingleUse(scene);
    const at = await authorize(spending, 10);
    return sendFull(spending, "createCapture", { account: "float", at, body: { amount: 10 } });
  },
  "createReversal balance_limit_exceeded": async (scene) => {
    const spending = await toSingleUse(scene);
    const at = await authorize(spending, 10);
    await capture(spending, at, { amount: 4 });
    return sendFull(spending, "createReversal", { account: "float", at, body: { amount: 6 } });
  },
  "mockTransaction authorization_not_found": (scene) =>
    send(scene, "mockTransaction", { body: { type: "capture", transaction_id: newId() } }),
  "createRefund card_not_found": (scene) => send(scene, "createRefund", unknownCard),
  ...forEach(["createCapture", "createReversal"], {
    books_unbalanced: (id) => async (scene) =>
      sendUnbalanced(scene, id, { at: await authorize(scene, 10) }),
    clock_advancing: (id) => async (scene) =>
      sendWhileAdvancing(scene, id, { at: await authorize(scene, 10) }),
  }),
  "advanceClock balance_limit_exceeded": async (scene) => {
    const spending = await toSingleUse(scene);
    const at = await authorize(spending, 10);
    await capture(spending, at, { amount: 4 });
    const body = { by_seconds: 8 * 24 * 60 * 60 };
    return sendFull(spending, "advanceClock", { account: "float", body });
  },
  "resetClock clock_in_use": async (scene) => {
    await send(scene, "advanceClock");
    await authorize(scene, 10);
    return send(scene, "resetClock");
  },
};
