import { beginSecondFactor as beginOperation } from "#lib/operations/staff/begin-second-factor.ts";
import { disableSecondFactor as disableOperation } from "#lib/operations/staff/disable-second-factor.ts";
import { serve } from "#lib/api/edge/serve.ts";
import { beginSecondFactor, disableSecondFactor } from "#lib/staff/second-factor.ts";

export const POST = serve(beginOperation, {
  change: async (ctx) => ({
    body: await beginSecondFactor(ctx),
  }),
});

export const DELETE = serve(disableOperation, {
  change: async (ctx) => {
    await disableSecondFactor(ctx);
    return { body: { message: "Ok" } };
  },
});
