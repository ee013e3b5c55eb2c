import { send } from "#test/scene/scene.ts";
import type { Cases } from "#test/scene/refusal-cases.ts";
import { archiveUser } from "#lib/operations/cardholders/archive-user.ts";

export const operation = archiveUser;

export const cases: Cases<typeof archiveUser> = {
  user_has_cards: (scene) => send(scene, "archiveUser", { at: scene.ids.user }),
};
