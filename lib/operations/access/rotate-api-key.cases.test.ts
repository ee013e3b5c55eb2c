import { newScopedKey } from "#test/scene/fixtures.ts";
import type { Cases } from "#test/scene/refusal-cases.ts";
import { send } from "#test/scene/scene.ts";
import { newStaff } from "#test/scene/staff.ts";
import { rotateApiKey } from "#lib/operations/access/rotate-api-key.ts";

export const operation = rotateApiKey;

export const cases: Cases<typeof rotateApiKey> = {
  api_key_inactive: async (scene) => {
    const { id: at } = await newScopedKey(scene.id, ["cards:read"]);
    await send(scene, "rotateApiKey", { at, body: { overlap_days: 0 } });
    return send(scene, "rotateApiKey", { at });
  },
  role_insufficient: async (scene) => {
    const { id: at } = await newScopedKey(scene.id, ["cardholders:erase"]);
    const { headers } = await newStaff(scene.id, "admin");
    return send(scene, "rotateApiKey", { headers, at });
  },
};
