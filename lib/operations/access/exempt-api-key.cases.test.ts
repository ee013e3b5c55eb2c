import { newScopedKey } from "#test/scene/fixtures.ts";
import type { Cases } from "#test/scene/refusal-cases.ts";
import { send } from "#test/scene/scene.ts";
import { exemptApiKey } from "#lib/operations/access/exempt-api-key.ts";

export const operation = exemptApiKey;

export const cases: Cases<typeof exemptApiKey> = {
  api_key_inactive: async (scene) => {
    const { id: at } = await newScopedKey(scene.id, ["funds:write"]);
    await send(scene, "rotateApiKey", { at, body: { overlap_days: 0 } });
    return send(scene, "exemptApiKey", { at });
  },
};
