import { advanceClock as operation } from "#lib/operations/sandbox-clock/advance-clock.ts";
import { serve } from "#lib/api/edge/serve.ts";
import { toClockResource } from "#lib/api/wire/resources.ts";
import { completeMove } from "#lib/clock/clock-move.ts";
import { beginAdvance } from "#lib/clock/sandbox-clock.ts";
import { awaitFeed } from "#db/feed-horizon.ts";

export const POST = serve(operation, {
  change: async (ctx, { body: { by_seconds: byS, to } }) => ({
    body: { data: toClockResource(await beginAdvance(ctx, { byS, to })) },
  }),
  follow: async (db, integratorId) => {
    await completeMove(db, integratorId);
    // An older transaction of anybody would hide the events of the move.
    await awaitFeed(db);
  },
});
