import { sendFull } from "#test/scene/scene.ts";
import type { Cases } from "#test/scene/refusal-cases.ts";
import { creditCard } from "#lib/operations/funds/credit-card.ts";

export const operation = creditCard;

export const cases: Cases<typeof creditCard> = {
  balance_limit_exceeded: (scene) => sendFull(scene, "creditCard", { account: "card" }),
};
