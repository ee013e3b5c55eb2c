import { send } from "#test/scene/scene.ts";
import { newStaff } from "#test/scene/staff.ts";
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
  role_insufficient: async (scene) => {
    const [first, second] = [
      await newStaff(scene.id, "admin"),
      await newStaff(scene.id, "admin"),
    ].map(({ headers }) => ({ headers: { ...headers, "Idempotency-Key": "an-endpoint" } }));
    await send(scene, "createWebhookEndpoint", first);
    return send(scene, "createWebhookEndpoint", second);
  },
};
