import { sendFull } from "#db/testing/scene.ts";
import type { Cases } from "#db/testing/refusal-cases.ts";
import { topUpCard } from "#lib/operations/funds/top-up-card.ts";

export const operation = topUpCard;

export const cases: Cases<typeof topUpCard> = {
  balance_limit_exceeded: (scene) => sendFull(scene, "topUpCard", { account: "card" }),
};
