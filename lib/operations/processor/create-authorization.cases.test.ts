import { newId } from "#lib/base/ids.ts";
import { send } from "#test/scene/scene.ts";
import type { Cases } from "#test/scene/refusal-cases.ts";
import { createAuthorization } from "#lib/operations/processor/create-authorization.ts";

export const operation = createAuthorization;

export const cases: Cases<typeof createAuthorization> = {
  fact_unmatched: (scene) =>
    send(scene, "createAuthorization", { body: { advice: true, card_id: newId() } }),
};
