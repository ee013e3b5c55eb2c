import { send } from "#test/scene/scene.ts";
import { newId } from "#lib/base/ids.ts";
import type { Cases } from "#test/scene/refusal-cases.ts";
import { updateUser } from "#lib/operations/cardholders/update-user.ts";

export const operation = updateUser;

export const cases: Cases<typeof updateUser> = {
  user_already_exists: async (scene) => {
    const email = `${newId()}@example.com`;
    await send(scene, "registerUser", { at: scene.id, body: { email } });
    return send(scene, "updateUser", { at: scene.ids.user, body: { email } });
  },
};
