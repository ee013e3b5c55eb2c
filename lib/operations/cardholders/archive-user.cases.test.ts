import { send } from "#db/testing/scene.ts";
import type { Cases } from "#db/testing/refusal-cases.ts";
import { archiveUser } from "#lib/operations/cardholders/archive-user.ts";

export const operation = archiveUser;

export const cases: Cases<typeof archiveUser> = {
  user_has_cards: (scene) => send(scene, "archiveUser", { at: scene.ids.user }),
};
