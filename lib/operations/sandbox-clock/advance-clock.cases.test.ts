import { toSingleUse } from "#test/scene/purchase-refusals.ts";
import { authorize, sendFull } from "#test/scene/scene.ts";
import { capture } from "#test/scene/spending.ts";
import type { Cases } from "#test/scene/refusal-cases.ts";
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
