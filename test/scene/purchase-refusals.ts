import { newId } from "#lib/base/ids.ts";
import { newCard } from "./fixtures.ts";
import { authorize, send, sendFull, sendWhileAdvancing } from "./scene.ts";
import type { Case, Scene, Wanted } from "./scene.ts";
import { buy, capture, expireNow, reverse } from "./spending.ts";

/** What a request that acts on this transaction with this amount names. */
type Act = (transactionId: string, amount: number) => Wanted;

/** One authorization for each way in which it can end. */
export const ended = (id: string, act: Act) =>
  ({
    authorization_captured: async (scene) => {
      const held = await authorize(scene, 10);
      await capture(scene, held, { final: true });
      return send(scene, id, act(held, 1));
    },
    authorization_reversed: async (scene) => {
      const held = await authorize(scene, 10);
      await reverse(scene, held);
      return send(scene, id, act(held, 1));
    },
    authorization_expired: async (scene) => {
      const held = await authorize(scene, 10);
      await expireNow(scene, held, scene.card);
      return send(scene, id, act(held, 1));
    },
    authorization_declined: async (scene) => send(scene, id, act(await authorize(scene, 1_000), 1)),
  }) satisfies Record<string, Case>;

/** Simulated captures that are refused. */
export const capturing = (id: string, act: Act) =>
  ({
    ...ended(id, act),
    capture_exceeds_authorization: async (scene) => {
      const held = await authorize(scene, 10);
      await send(scene, "freezeCard");
      return send(scene, id, act(held, 11));
    },
    insufficient_card_balance: async (scene) =>
      send(scene, id, act(await authorize(scene, 100), 101)),
  }) satisfies Record<string, Case>;

/** Simulated reversals that are refused. */
export const reversing = (id: string, act: Act) =>
  ({
    ...ended(id, act),
    reversal_exceeds_hold: async (scene) => send(scene, id, act(await authorize(scene, 10), 11)),
  }) satisfies Record<string, Case>;

/** Refunds that are refused, whoever sends them. */
export const refunding = (id: string, act: Act) =>
  ({
    transaction_not_found: (scene) => send(scene, id, act(newId(), 1)),
    balance_limit_exceeded: async (scene) => {
      const { transaction } = await buy(scene, { cardId: scene.card, amount: 10 });
      return sendFull(scene, id, { account: "card", ...act(transaction.id, 1) });
    },
  }) satisfies Record<string, Case>;

/** Simulated refunds that are refused. */
export const refundingUnintended = (id: string, act: Act) =>
  ({
    transaction_not_settled: async (scene) => send(scene, id, act(await authorize(scene, 10), 1)),
    refund_exceeds_purchase: async (scene) => {
      const { transaction } = await buy(scene, { cardId: scene.card, amount: 10 });
      return send(scene, id, act(transaction.id, 11));
    },
  }) satisfies Record<string, Case>;

/** What any operation on an authorization of the card network is refused for. */
export const heldCases = (id: string) =>
  ({
    clock_advancing: async (scene) =>
      sendWhileAdvancing(scene, id, { at: await authorize(scene, 10) }),
  }) satisfies Record<string, Case>;

/** Uses a single-use card, whose rest is swept to the float when its purchase settles. */
export async function toSingleUse(scene: Scene): Promise<Scene> {
  return { ...scene, card: (await newCard(scene, 100, { singleUse: true })).id };
}
