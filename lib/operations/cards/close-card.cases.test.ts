import { send } from "#test/scene/scene.ts";
import { hold } from "#test/scene/spending.ts";
import type { Cases } from "#test/scene/refusal-cases.ts";
import { closeCard } from "#lib/operations/cards/close-card.ts";

export const operation = closeCard;

export const cases: Cases<typeof closeCard> = {
  card_has_holds: async (scene) => {
    await hold(scene, { cardId: scene.card, amount: 10 });
    return send(scene, "closeCard");
  },
};
