import { keyOf, newApproval } from "#test/scene/approvals.ts";
import type { Cases } from "#test/scene/refusal-cases.ts";
import { send } from "#test/scene/scene.ts";
import { cancelApproval } from "#lib/operations/approvals/cancel-approval.ts";

export const operation = cancelApproval;

export const cases: Cases<typeof cancelApproval> = {
  approval_decided: async (scene) => {
    const by = await keyOf(scene);
    const at = await newApproval(scene, { by, requesterId: scene.owner.id });
    await send(scene, operation.id, { at });
    return send(scene, operation.id, { at });
  },
  role_insufficient: async (scene) => send(scene, operation.id, { at: await newApproval(scene) }),
};
