import { toSingleUse } from "#db/testing/purchase-refusals.ts";
import { authorize, sendFull } from "#db/testing/scene.ts";
import { capture } from "#db/testing/spending.ts";
import type { Cases } from "#db/testing/refusal-cases.ts";
import { advanceClock } from "#lib/operations/sandbox-clock/advance-clock.ts";

export const operation = advanceClock;

export const cases: Cases<typeof advanceClock> = {
  balance_limit_exceeded: async (scene) => {
    const spending = await toSingleUse(scene);
    const at = await authorize(spending, 10);
    await capture(spending, at, { amount: 4 });
    const body = { by_seconds: 8 * 24 * 60 * 60 };
    return sendFull(spending, "advanceClock", { account: "float", body });
  },
};
