import { newId } from "#lib/base/ids.ts";
import { toSingleUse } from "#test/scene/purchase-refusals.ts";
import { authorize, sendFull, sendWhileAdvancing } from "#test/scene/scene.ts";
import { capture } from "#test/scene/spending.ts";
import type { Cases } from "#test/scene/refusal-cases.ts";
import { createReversalByReference } from "#lib/operations/processor/create-reversal-by-reference.ts";

export const operation = createReversalByReference;

const ID = "createReversalByReference";

export const cases: Cases<typeof createReversalByReference> = {
  clock_advancing: async (scene) => {
    const reference = newId();
    await authorize(scene, 10, { reference });
    return sendWhileAdvancing(scene, ID, { body: { authorization_reference: reference } });
  },
  balance_limit_exceeded: async (scene) => {
    const spending = await toSingleUse(scene);
    const reference = newId();
    const at = await authorize(spending, 10, { reference });
    await capture(spending, at, { amount: 4 });
    const body = { authorization_reference: reference, amount: 6 };
    return sendFull(spending, ID, { account: "float", body });
  },
};
