import { send } from "#db/testing/scene.ts";
import { hold } from "#db/testing/spending.ts";
import type { Cases } from "#db/testing/refusal-cases.ts";
import { closeCard } from "#lib/operations/cards/close-card.ts";

export const operation = closeCard;

export const cases: Cases<typeof closeCard> = {
  card_has_holds: async (scene) => {
    await hold(scene, { cardId: scene.card, amount: 10 });
    return send(scene, "closeCard");
  },
};
