import { send } from "#test/scene/scene.ts";
import { newId } from "#lib/base/ids.ts";
import type { Cases } from "#test/scene/refusal-cases.ts";
import { createFunding } from "#lib/operations/processor/create-funding.ts";

export const operation = createFunding;

export const cases: Cases<typeof createFunding> = {
  integrator_not_found: (scene) =>
    send(scene, "createFunding", { body: { integrator_id: newId() } }),
};
