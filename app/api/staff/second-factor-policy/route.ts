import { requireSecondFactor as operation } from "#lib/operations/staff/require-second-factor.ts";
import { serve } from "#lib/api/edge/serve.ts";
import { requireSecondFactor } from "#lib/staff/staff.ts";

export const PATCH = serve(operation, {
  change: async (ctx, { body: { required } }) => {
    await requireSecondFactor(ctx, required);
    return { body: { required } };
  },
});
