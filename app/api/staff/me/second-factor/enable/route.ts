import { enableSecondFactor as operation } from "#lib/operations/staff/enable-second-factor.ts";
import { serve } from "#lib/api/edge/serve.ts";
import { enableSecondFactor } from "#lib/staff/second-factor.ts";

export const POST = serve(operation, {
  change: async (ctx, { body }) => ({
    body: { recovery_codes: await enableSecondFactor(ctx, body.code) },
  }),
});
