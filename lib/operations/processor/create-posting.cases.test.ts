import { toSingleUse } from "#test/scene/purchase-refusals.ts";
import { newId } from "#lib/base/ids.ts";
import { send, sendFull } from "#test/scene/scene.ts";
import type { Cases } from "#test/scene/refusal-cases.ts";
import { createPosting } from "#lib/operations/processor/create-posting.ts";

export const operation = createPosting;

export const cases: Cases<typeof createPosting> = {
  fact_unmatched: (scene) =>
    send(scene, "createPosting", {
      body: { authorization_reference: newId(), card_id: undefined, amount: 10 },
    }),
  balance_limit_exceeded: async (scene) => {
    const spending = await toSingleUse(scene);
    const body = { card_id: spending.card, amount: 10 };
    return sendFull(spending, "createPosting", { account: "float", body });
  },
};
