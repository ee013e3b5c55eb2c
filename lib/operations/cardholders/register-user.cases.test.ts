import { send } from "#test/scene/scene.ts";
import { newId } from "#lib/base/ids.ts";
import type { Cases } from "#test/scene/refusal-cases.ts";
import { registerUser } from "#lib/operations/cardholders/register-user.ts";

export const operation = registerUser;

export const cases: Cases<typeof registerUser> = {
  user_already_exists: async (scene) => {
    const duplicate = { at: scene.id, body: { email: `${newId()}@example.com` } };
    await send(scene, "registerUser", duplicate);
    return send(scene, "registerUser", duplicate);
  },
};
