import { advanceClock as operation } from "#lib/operations/sandbox-clock/advance-clock.ts";
import { serve } from "#lib/api/edge/serve.ts";
import { toClockResource } from "#lib/clock/clock-resource.ts";
import { completeAdvance } from "#lib/clock/clock-move.ts";
import { beginAdvance } from "#lib/clock/sandbox-clock.ts";

export const POST = serve(operation, {
  change: async (ctx, { body: { by_seconds: byS, to } }) => ({
    body: { data: toClockResource(await beginAdvance(ctx, { byS, to })) },
  }),
  follow: completeAdvance,
});
