import { send } from "#test/scene/scene.ts";
import type { Cases } from "#test/scene/refusal-cases.ts";
import { updateWebhookEndpoint } from "#lib/operations/webhooks/update-webhook-endpoint.ts";

export const operation = updateWebhookEndpoint;

export const cases: Cases<typeof updateWebhookEndpoint> = {
  endpoint_is_first: (scene) => send(scene, "updateWebhookEndpoint", { at: scene.id }),
};
