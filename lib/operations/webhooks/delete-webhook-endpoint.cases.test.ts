import { send } from "#test/scene/scene.ts";
import type { Cases } from "#test/scene/refusal-cases.ts";
import { deleteWebhookEndpoint } from "#lib/operations/webhooks/delete-webhook-endpoint.ts";

export const operation = deleteWebhookEndpoint;

export const cases: Cases<typeof deleteWebhookEndpoint> = {
  endpoint_is_first: (scene) => send(scene, "deleteWebhookEndpoint", { at: scene.id }),
};
