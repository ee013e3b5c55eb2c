import { send } from "#test/scene/scene.ts";
import type { Cases } from "#test/scene/refusal-cases.ts";
import { newStaff } from "#test/scene/staff.ts";
import { deleteView } from "#lib/operations/views/delete-view.ts";

export const operation = deleteView;

export const cases: Cases<typeof deleteView> = {
  role_insufficient: async (scene) => {
    const { headers } = await newStaff(scene.id, "operator");
    return send(scene, "deleteView", { headers, at: scene.ids.view });
  },
};
