import { ended, heldCases, toSingleUse } from "#test/scene/purchase-refusals.ts";
import { authorize, sendDamaged, sendFull } from "#test/scene/scene.ts";
import type { Cases } from "#test/scene/refusal-cases.ts";
import { createCapture } from "#lib/operations/processor/create-capture.ts";

export const operation = createCapture;

export const cases: Cases<typeof createCapture> = {
  ...heldCases("createCapture"),
  // Only without an amount.
  ...ended("createCapture", (at) => ({ at, body: { amount: undefined } })),
  fact_unmatched: async (scene) =>
    sendDamaged(scene, "createCapture", { at: await authorize(scene, 10), body: { amount: 10 } }),
  balance_limit_exceeded: async (scene) => {
    const spending = await toSingleUse(scene);
    const at = await authorize(spending, 10);
    return sendFull(spending, "createCapture", { account: "float", at, body: { amount: 10 } });
  },
};
