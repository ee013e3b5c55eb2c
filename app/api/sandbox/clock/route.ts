import { getClock as operation } from "#lib/operations/sandbox-clock/get-clock.ts";
import { serve } from "#lib/api/edge/serve.ts";
import { toClockResource } from "#lib/clock/clock-resource.ts";
import { getClock } from "#lib/clock/sandbox-clock.ts";

export const GET = serve(operation, {
  read: async (ctx) => ({
    body: { data: toClockResource(await getClock(ctx)) },
  }),
});
