import { send } from "#test/scene/scene.ts";
import type { Cases } from "#test/scene/refusal-cases.ts";
import { rotateWebhookSecret } from "#lib/operations/webhooks/rotate-webhook-secret.ts";

export const operation = rotateWebhookSecret;

export const cases: Cases<typeof rotateWebhookSecret> = {
  signing_secrets_exhausted: async (scene) => {
    for (let rotated = 0; rotated < 5; rotated += 1) {
      await send(scene, "rotateWebhookSecret");
    }
    return send(scene, "rotateWebhookSecret");
  },
};
