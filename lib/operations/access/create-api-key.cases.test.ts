import { sendAsAdmin } from "#test/scene/refusal-cases.ts";
import type { Cases } from "#test/scene/refusal-cases.ts";
import { createApiKey } from "#lib/operations/access/create-api-key.ts";

export const operation = createApiKey;

export const cases: Cases<typeof createApiKey> = {
  role_insufficient: (scene) =>
    sendAsAdmin(scene, "createApiKey", { scopes: ["cards:read", "cardholders:erase"] }),
};
