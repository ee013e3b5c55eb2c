import { newApproval } from "#test/scene/approvals.ts";
import type { Cases } from "#test/scene/refusal-cases.ts";
import { send } from "#test/scene/scene.ts";
import { rejectApproval } from "#lib/operations/approvals/reject-approval.ts";

export const operation = rejectApproval;

export const cases: Cases<typeof rejectApproval> = {
  approval_decided: async (scene) => {
    const at = await newApproval(scene);
    await send(scene, operation.id, { at });
    return send(scene, operation.id, { at });
  },
  approval_own: async (scene) => {
    const at = await newApproval(scene, { requesterId: scene.owner.id });
    return send(scene, operation.id, { at });
  },
};
