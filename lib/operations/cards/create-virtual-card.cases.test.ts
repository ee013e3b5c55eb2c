import { send } from "#test/scene/scene.ts";
import { newId } from "#lib/base/ids.ts";
import type { Cases } from "#test/scene/refusal-cases.ts";
import { createVirtualCard } from "#lib/operations/cards/create-virtual-card.ts";

export const operation = createVirtualCard;

export const cases: Cases<typeof createVirtualCard> = {
  user_not_found: (scene) => send(scene, "createVirtualCard", { body: { user_id: newId() } }),
  user_archived: async (scene) => {
    const { data } = (await send(scene, "registerUser", { at: scene.id })).json as {
      data: { id: string };
    };
    await send(scene, "archiveUser", { at: data.id });
    return send(scene, "createVirtualCard", { body: { user_id: data.id } });
  },
  integrator_not_found: (scene) =>
    send(scene, "createVirtualCard", { body: { card_integrator_id: newId() } }),
  currency_mismatch: (scene) => send(scene, "createVirtualCard", { body: { currency: "EUR" } }),
};
