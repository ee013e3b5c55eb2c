import { send } from "#test/scene/scene.ts";
import type { Cases } from "#test/scene/refusal-cases.ts";
import { newStaff } from "#test/scene/staff.ts";
import { updateView } from "#lib/operations/views/update-view.ts";

export const operation = updateView;

export const cases: Cases<typeof updateView> = {
  role_insufficient: async (scene) => {
    const { headers } = await newStaff(scene.id, "operator");
    return send(scene, "updateView", { headers, at: scene.ids.view });
  },
};
