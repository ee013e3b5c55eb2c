import { send } from "#test/scene/scene.ts";
import type { Cases } from "#test/scene/refusal-cases.ts";
import { eraseUser } from "#lib/operations/cardholders/erase-user.ts";

export const operation = eraseUser;

export const cases: Cases<typeof eraseUser> = {
  user_has_cards: (scene) => send(scene, "eraseUser", { at: scene.ids.user }),
};
