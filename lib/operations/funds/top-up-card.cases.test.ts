import { sendFull } from "#test/scene/scene.ts";
import type { Cases } from "#test/scene/refusal-cases.ts";
import { topUpCard } from "#lib/operations/funds/top-up-card.ts";

export const operation = topUpCard;

export const cases: Cases<typeof topUpCard> = {
  balance_limit_exceeded: (scene) => sendFull(scene, "topUpCard", { account: "card" }),
};
