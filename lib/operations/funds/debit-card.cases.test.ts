import { send, sendFull } from "#test/scene/scene.ts";
import type { Cases } from "#test/scene/refusal-cases.ts";
import { debitCard } from "#lib/operations/funds/debit-card.ts";

export const operation = debitCard;

export const cases: Cases<typeof debitCard> = {
  balance_limit_exceeded: (scene) =>
    sendFull(scene, "debitCard", { account: "float", body: { amount: 1 } }),
  insufficient_card_balance: (scene) => send(scene, "debitCard", { body: { amount: 101 } }),
};
