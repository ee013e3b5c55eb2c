import { heldCases, toSingleUse } from "#test/scene/purchase-refusals.ts";
import { authorize, sendFull } from "#test/scene/scene.ts";
import { capture } from "#test/scene/spending.ts";
import type { Cases } from "#test/scene/refusal-cases.ts";
import { createReversal } from "#lib/operations/processor/create-reversal.ts";

export const operation = createReversal;

export const cases: Cases<typeof createReversal> = {
  ...heldCases("createReversal"),
  balance_limit_exceeded: async (scene) => {
    const spending = await toSingleUse(scene);
    const at = await authorize(spending, 10);
    await capture(spending, at, { amount: 4 });
    return sendFull(spending, "createReversal", { account: "float", at, body: { amount: 6 } });
  },
};
