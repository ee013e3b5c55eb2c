import { send } from "#test/scene/scene.ts";
import type { Cases } from "#test/scene/refusal-cases.ts";
import { createWebhookEndpoint } from "#lib/operations/webhooks/create-webhook-endpoint.ts";

export const operation = createWebhookEndpoint;

export const cases: Cases<typeof createWebhookEndpoint> = {
  endpoints_exhausted: async (scene) => {
    for (let created = 0; created < 4; created += 1) {
      await send(scene, "createWebhookEndpoint");
    }
    return send(scene, "createWebhookEndpoint");
  },
};
