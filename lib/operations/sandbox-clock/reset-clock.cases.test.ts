import { authorize, send } from "#test/scene/scene.ts";
import type { Cases } from "#test/scene/refusal-cases.ts";
import { resetClock } from "#lib/operations/sandbox-clock/reset-clock.ts";

export const operation = resetClock;

export const cases: Cases<typeof resetClock> = {
  clock_in_use: async (scene) => {
    await send(scene, "advanceClock");
    await authorize(scene, 10);
    return send(scene, "resetClock");
  },
};
