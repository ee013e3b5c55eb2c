import { changeRole as changeOperation } from "#lib/operations/staff/change-role.ts";
import { removeStaff as removeOperation } from "#lib/operations/staff/remove-staff.ts";
import { serve } from "#lib/api/edge/serve.ts";
import { toApiKeyResource } from "#lib/access/api-key-resource.ts";
import { toStaffResource } from "#lib/staff/staff-resource.ts";
import { revokeApiKey } from "#lib/access/api-keys.ts";
import type { ApiKey } from "#lib/access/api-keys.ts";
import { forgetCredentials } from "#lib/auth/authenticate.ts";
import { changeRole, removeStaff } from "#lib/staff/staff.ts";

export const PATCH = serve(changeOperation, {
  change: async (ctx, { id, body }) => ({
    body: { data: toStaffResource(await changeRole(ctx, id, body.role)) },
  }),
  settled: forgetCredentials,
});

export const DELETE = serve(removeOperation, {
  change: async (ctx, { id, query }) => {
    const { person, keys } = await removeStaff(ctx, id);
    const left: ApiKey[] = [];
    for (const key of keys) {
      left.push(query.revoke_api_keys === "true" ? await revokeApiKey(ctx, key.id) : key);
    }
    return { body: { data: toStaffResource(person), api_keys: left.map(toApiKeyResource) } };
  },
  settled: forgetCredentials,
});
