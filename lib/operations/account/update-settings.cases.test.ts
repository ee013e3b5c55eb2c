import { sql } from "drizzle-orm";
import { change, sendAsAdmin } from "#test/scene/refusal-cases.ts";
import type { Cases } from "#test/scene/refusal-cases.ts";
import { send } from "#test/scene/scene.ts";
import { updateSettings } from "#lib/operations/account/update-settings.ts";

export const operation = updateSettings;

const body = { approval: { threshold: 100_000, for_keys: false } };

export const cases: Cases<typeof updateSettings> = {
  role_insufficient: (scene) => sendAsAdmin(scene, operation.id, body),
  approvers_missing: async (scene) => {
    const { id, owner } = scene;
    await change(sql`
      update staff set removed_at = clock_timestamp() where integrator_id = ${id} and id <> ${owner.id}`);
    return send(scene, operation.id, { body, headers: owner.headers });
  },
};
