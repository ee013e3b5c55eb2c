import { chooseMessages as operation } from "#lib/operations/staff/choose-messages.ts";
import { serve } from "#lib/api/edge/serve.ts";
import { chooseMessages } from "#lib/staff/staff-self.ts";

export const PATCH = serve(operation, {
  change: async (ctx, { body: { muted } }) => ({
    body: { muted: await chooseMessages(ctx, muted) },
  }),
});
