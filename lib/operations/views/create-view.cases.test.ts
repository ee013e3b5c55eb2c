import { send } from "#test/scene/scene.ts";
import type { Cases } from "#test/scene/refusal-cases.ts";
import { newStaff } from "#test/scene/staff.ts";
import { createView } from "#lib/operations/views/create-view.ts";

export const operation = createView;

export const cases: Cases<typeof createView> = {
  role_insufficient: async (scene) => {
    const { headers } = await newStaff(scene.id, "viewer");
    return send(scene, "createView", { headers, body: { shared: true } });
  },
};
